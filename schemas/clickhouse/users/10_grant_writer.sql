-- The consumer: it brings the schema up to date, writes, looks up what it wrote, and takes personal data out.
GRANT
    SELECT, INSERT, OPTIMIZE, CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP VIEW,
    ALTER ADD COLUMN, ALTER COMMENT COLUMN, ALTER MODIFY COLUMN, ALTER MODIFY SETTING, ALTER UPDATE, ALTER DELETE, SYSTEM SYNC REPLICA
ON rollcall.* TO rollcall_writer
