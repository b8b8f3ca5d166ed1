{{ config(materialized='ephemeral') }}
SELECT assignment_id, completed FROM {{ source('rollcall', 'assignments') }} WHERE overdue
