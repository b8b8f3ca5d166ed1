-- For ON CLUSTER.
GRANT CLUSTER ON *.* TO rollcall_writer
