SELECT each.1 AS bucket, each.2 AS count
FROM
(
    SELECT arrayJoin([
        ('1-7', countIf(aging_bucket = '1-7')),
        ('8-14', countIf(aging_bucket = '8-14')),
        ('15-30', countIf(aging_bucket = '15-30')),
        ('31-60', countIf(aging_bucket = '31-60')),
        ('61-90', countIf(aging_bucket = '61-90')),
        ('91+', countIf(aging_bucket = '91+'))
    ]) AS each
    FROM scope
)
