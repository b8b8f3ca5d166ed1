SELECT * FROM {{ ref('overdue') }} WHERE completed
