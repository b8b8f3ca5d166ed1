CREATE ROLE IF NOT EXISTS rollcall_writer
