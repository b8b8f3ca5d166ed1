-- Tables of ours that were made, or altered by somebody, without a sync at every insert.
SELECT name FROM system.tables
WHERE database = 'rollcall' AND engine LIKE '%MergeTree' AND create_table_query NOT LIKE '%fsync_after_insert = 1%'
ORDER BY name
