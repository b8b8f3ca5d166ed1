-- As 0100: the same is said of a person thousands of times.
ALTER TABLE rollcall.user_observations
    MODIFY COLUMN observed_at CODEC(T64, ZSTD(1)),
    MODIFY COLUMN user_id CODEC(ZSTD(1)),
    MODIFY COLUMN teams CODEC(ZSTD(1)),
    MODIFY COLUMN managers CODEC(ZSTD(1)),
    MODIFY COLUMN direct_reports CODEC(ZSTD(1)),
    MODIFY COLUMN name CODEC(ZSTD(1)),
    MODIFY COLUMN email CODEC(ZSTD(1))
