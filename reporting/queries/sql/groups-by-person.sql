-- As groups.sql, by person. There are about as many groups as assignments, so grades are listed with their signs, and the caller adds them up.
SELECT toString(user_id) AS id, groupArray(toString(bits)) AS bits, groupArray(n) AS counts, arrayFlatten(groupArray(values)) AS grades, arrayFlatten(groupArray(copies)) AS grade_counts
FROM
(
    SELECT
        user_id,
        bitAnd(facts, {ranking_mask:UInt64}) AS bits,
        sum(sign) AS n,
        groupArrayIf(grade, bitTest(facts, 3) AND bitTest(facts, 13)) AS values,
        groupArrayIf(sign, bitTest(facts, 3) AND bitTest(facts, 13)) AS copies
    FROM
    (
        SELECT user_id, facts, grade, sign
        -- include scope-at
    )
    GROUP BY user_id, bits
    HAVING n != 0
)
GROUP BY user_id
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
