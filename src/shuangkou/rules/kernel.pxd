# The C types of the kernel's classes: what `kernel.py` cannot say in Python's own annotations.


cdef class Moves:
    cdef int[::1] firsts
    cdef unsigned long long[::1] masks, have
    cdef int size

    cdef void add(self, int first, unsigned long long mask) noexcept nogil
    cdef int count(self) noexcept nogil
    cdef int nth(self, int n) noexcept nogil


cdef class Kernel:
    cdef int players, joker_first, joker_plays, max_width, chain_kind, wild_small, wild_big
    cdef int natural_first, has_unequal, single_first, circle
    cdef int[::1] kinds, starts, groups, widths, stars, strengths, unequal_strengths, shapes
    cdef unsigned long long[::1] needs, windows, joker_sets, row_need
    cdef int[::1] run_least, run_most, chain_least, chain_most, family_first, group_first
    cdef int[::1] joker_codes, row_from, row_id, row_loose
    cdef Moves scratch

    cdef int _strength(self, int code) noexcept nogil
    cdef int _wild(self, unsigned long long counts) noexcept nogil
    cdef int _read(self, unsigned long long counts, int table, int kind) noexcept nogil
    cdef bint _fits_loosely(self, unsigned long long natural, int i, int wild, int size) noexcept nogil
    cdef void _collect(self, Moves m, unsigned long long hand, int table) noexcept nogil
    cdef void _joker_choices(self, Moves m, unsigned long long jokers, int table, int bar) noexcept nogil
    cdef void _runs(self, Moves m, int wild, int width, int least, int most, unsigned long long above) noexcept nogil
    cdef void _bombs(self, Moves m, unsigned long long hand, int wild, int bar) noexcept nogil
    cdef bint _chains(self, Moves m, unsigned long long hand, int wild, int width, int bar) noexcept nogil
    cdef void _chain_choices(
        self, Moves m, unsigned long long hand, unsigned long long fit, unsigned long long exact, int first, int bar
    ) noexcept nogil
    cdef bint _chosen_reads(self, unsigned long long hand, int action) noexcept nogil
    cdef unsigned long long _cards(self, unsigned long long hand, int action) noexcept nogil
    cdef int _code(self, unsigned long long cards, int action) noexcept nogil
    cdef int _autoplay(self, Moves m, unsigned long long hand, int table) noexcept nogil
    cdef int _lowest_natural(self, unsigned long long hand, int j) noexcept nogil
    cdef void _step(self, unsigned long long[::1] s, int at, int action) noexcept nogil
    cdef int _count(self, Moves m, unsigned long long[::1] s, int at) noexcept nogil
    cdef long long _playouts(
        self, Moves m, unsigned long long[::1] states, unsigned long long seed, double[::1] weights, bint weighted
    )
    cdef long long _playout(
        self, Moves m, unsigned long long[::1] s, int at, unsigned long long random, double[::1] weights, bint weighted
    ) noexcept nogil
    cdef int _weighted_choice(
        self, Moves m, int table, unsigned long long random, double[::1] weights
    ) noexcept nogil
