-- What was taken back is then gone from the table, not only from the sums.
OPTIMIZE TABLE rollcall.user_versions FINAL
