SELECT
    count() AS n,
    if(n = 0, NULL, avg(known_grade)) AS mean,
    if(n = 0, NULL, quantileExactInclusive(0.5)(known_grade)) AS median,
    arrayMap(
        from -> CAST((from * 10, from * 10 + 10, countEqual(groupArray(least(greatest(floor(known_grade / 10), 0), 9)), from)), 'Tuple(from UInt8, to UInt8, count UInt64)'),
        range(10)
    ) AS histogram
FROM (SELECT assumeNotNull(calculated_grade) AS known_grade FROM scope WHERE graded AND calculated_grade IS NOT NULL)
