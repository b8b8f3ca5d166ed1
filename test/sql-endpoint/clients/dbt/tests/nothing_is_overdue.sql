SELECT * FROM {{ ref('overdue') }}
