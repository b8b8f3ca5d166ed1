SELECT count() AS value
FROM scope
