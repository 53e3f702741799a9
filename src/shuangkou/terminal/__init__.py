"""The game in a terminal: a person plays against bots (:mod:`.play`), or steps through a record (:mod:`.replay`)."""
