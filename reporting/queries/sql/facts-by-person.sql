-- How many assignments in a scope each person has, by their facts.
SELECT user_id, groupArray(toString(bits)) AS bits, groupArray(n) AS counts
FROM
(
    SELECT toString(user_id) AS user_id, facts AS bits, sum(sign) AS n
    -- include scope-at
    GROUP BY user_id, bits
    HAVING n != 0
)
GROUP BY user_id
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
