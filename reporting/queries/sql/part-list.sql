-- The parts that the two tables of versions consist of at this moment, with the hash of their content, and a hash of those who have left. A part
-- never changes: what was counted in it holds for as long as it is there.
SELECT table, name, toString(hash_of_all_files) AS hash, rows
FROM system.parts
WHERE active AND database = 'rollcall' AND table IN ('open_versions', 'closed_versions')
UNION ALL -- if without_leavers
SELECT 'leavers', '', toString(sum(cityHash64(user_id))), count() -- if without_leavers
FROM -- if without_leavers
( -- if without_leavers
-- include leavers-at -- if without_leavers
) -- if without_leavers
SETTINGS max_execution_time = 60, output_format_json_quote_64bit_integers = 0
