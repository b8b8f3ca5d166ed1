-- Keys of one share of all assignments.
SELECT toString(akey) AS akey
FROM (SELECT DISTINCT akey FROM rollcall.event_rows WHERE rank > 0 AND akey % {shares:UInt8} = {share:UInt8})
