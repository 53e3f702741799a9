# The C side of the kernel: its constants, and the types that `kernel.py` cannot say in Python's own annotations.

cdef extern from *:
    """
    static const unsigned long long SHUANGKOU_M64 = 0xFFFFFFFFFFFFFFFFULL;
    static const unsigned long long SHUANGKOU_NATURAL = 0xFFFFFFFFFFFFFULL;
    static const unsigned long long SHUANGKOU_ONES = 0x1111111111111ULL;
    static const unsigned long long SHUANGKOU_RUN = 0x111111111111ULL;
    static const unsigned long long SHUANGKOU_SPREAD = 0x1111111111111111ULL;
    static const unsigned long long SHUANGKOU_BORROW = 0x1111111111111110ULL;
    static const unsigned long long SHUANGKOU_PAIRS = 0x0F0F0F0F0F0F0F0FULL;
    static const unsigned long long SHUANGKOU_BYTES = 0x0101010101010101ULL;
    static const unsigned long long SHUANGKOU_FULL = 0x228888888888888ULL;
    static const unsigned long long SHUANGKOU_GOLDEN = 0x9E3779B97F4A7C15ULL;
    static const unsigned long long SHUANGKOU_MIX = 0xBF58476D1CE4E5B9ULL;
    static const unsigned long long SHUANGKOU_MIX_AGAIN = 0x94D049BB133111EBULL;
    """
    const unsigned long long _M64 "SHUANGKOU_M64"
    const unsigned long long _NATURAL "SHUANGKOU_NATURAL"
    const unsigned long long _ONES "SHUANGKOU_ONES"
    const unsigned long long _RUN "SHUANGKOU_RUN"
    const unsigned long long _SPREAD "SHUANGKOU_SPREAD"
    const unsigned long long _BORROW "SHUANGKOU_BORROW"
    const unsigned long long _PAIRS "SHUANGKOU_PAIRS"
    const unsigned long long _BYTES "SHUANGKOU_BYTES"
    const unsigned long long _FULL "SHUANGKOU_FULL"
    const unsigned long long _GOLDEN "SHUANGKOU_GOLDEN"
    const unsigned long long _MIX "SHUANGKOU_MIX"
    const unsigned long long _MIX_AGAIN "SHUANGKOU_MIX_AGAIN"

cdef enum:
    _TABLE = 4
    _MOVER = 5
    _TAKER = 6
    _WAIT = 7
    _OUT = 8
    _MOVES = 9
    _BOMBS = 10
    _LOG = 11
    _PLAYED = 18
    _WORDS = 20
    _OVER = 15
    _OWN = 0
    _UNSEEN = 15
    _LEFT = 30
    _KIND = 34
    _TOP = 43
    _GROUPS = 44
    _WIDTH = 45
    _SIZE = 46
    _STARS = 47
    _WILD = 48
    _WHOSE = 49
    _PASSES = 52
    _BEST = 53
    _GONE = 55
    _PLACES = 56
    _FEATURES = 59


cdef class Moves:
    cdef int[::1] firsts
    cdef unsigned long long[::1] masks, have, states
    cdef const double[::1] weights
    cdef int[::1] listed, offsets
    cdef const int[::1] actions
    cdef unsigned char[::1] features
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
    cdef int known
    cdef list free

    cdef Moves _borrow(self)
    cdef int _checked(self, int code) except -1
    cdef int _strength(self, int code) noexcept nogil
    cdef int _wild(self, unsigned long long counts) noexcept nogil
    cdef int _read(self, unsigned long long counts, int table, int kind) noexcept nogil
    cdef bint _fits_loosely(self, unsigned long long natural, int i, int wild, int size) noexcept nogil
    cdef void _collect(self, Moves m, unsigned long long hand, int table) noexcept nogil
    cdef void _follow(self, Moves m, unsigned long long natural, int wild, int j) noexcept nogil
    cdef void _joker_choices(self, Moves m, unsigned long long jokers, int table, int bar) noexcept nogil
    cdef bint _jokers_make(self, unsigned long long jokers, int k) noexcept nogil
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
    cdef void _step(self, Moves m, int at, int action) noexcept nogil
    cdef int _count(self, Moves m, int at) noexcept nogil
    cdef long long _playouts(self, Moves m, int n, unsigned long long seed, bint weighted)
    cdef long long _playout(self, Moves m, int at, unsigned long long random, bint weighted) noexcept nogil
    cdef int _weighted_choice(self, Moves m, int table, unsigned long long random) noexcept nogil
    cdef long long _batch_plays(self, Moves m, int n)
    cdef void _list(self, Moves m, int to, bint may_pass) noexcept nogil
    cdef int _batch_refused(self, Moves m, int n)
    cdef bint _is_choice(self, Moves m, int at, int action) noexcept nogil
    cdef void _batch_step(self, Moves m, int n)
    cdef void _batch_features(self, Moves m, int n)
    cdef void _features(self, Moves m, int at, int to) noexcept nogil
