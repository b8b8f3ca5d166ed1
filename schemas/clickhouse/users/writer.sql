-- rollcall_writer: the consumer and `rollcall migrate`.
CREATE ROLE IF NOT EXISTS rollcall_writer;

-- The consumer: it brings the schema up to date, writes, looks up what it wrote, and takes personal data out.
GRANT
    SELECT, INSERT, OPTIMIZE, CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP VIEW,
    ALTER ADD COLUMN, ALTER COMMENT COLUMN, ALTER MODIFY COLUMN, ALTER MODIFY SETTING, ALTER UPDATE, ALTER DELETE, SYSTEM SYNC REPLICA
ON rollcall.* TO rollcall_writer;

-- What it asks about a cluster, and `rollcall doctor` about damaged parts.
GRANT
    SELECT ON system.clusters,
    SELECT ON system.macros,
    SELECT ON system.replicas,
    SELECT ON system.parts,
    SELECT ON system.detached_parts
TO rollcall_writer;

-- For ON CLUSTER.
GRANT CLUSTER ON *.* TO rollcall_writer;
