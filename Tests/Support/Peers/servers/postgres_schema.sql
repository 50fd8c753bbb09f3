-- What pg_catalog says of the tables in the schema healthsync, as statements that would make them.
WITH tables AS (
    SELECT oid, relname, relkind FROM pg_class
    WHERE relnamespace = 'healthsync'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
), members AS (
    SELECT attrelid AS oid, 0 AS place, attnum::text AS within,
        format('%s %s', attname, format_type(atttypid, atttypmod))
        || CASE WHEN attcollation NOT IN (0, 100) THEN ' COLLATE ' || attcollation::regcollation ELSE '' END
        || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
        || CASE attidentity WHEN 'a' THEN ' GENERATED ALWAYS AS IDENTITY' ELSE '' END
        || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '') AS text
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT conrelid, 1, contype::text || conname::text, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE contype IN ('p', 'u', 'c', 'f') AND conparentid = 0
), indexes AS (
    SELECT indrelid AS oid, string_agg(E'\n' || pg_get_indexdef(indexrelid) || ';', '' ORDER BY indexrelid::regclass::text) AS text
    FROM pg_index WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
    GROUP BY indrelid
), parts AS (
    SELECT inhparent AS oid, format(E'\n-- in %s parts', count(*)) AS text FROM pg_inherits GROUP BY inhparent
)
SELECT format(
    E'CREATE TABLE %s (\n    %s\n)%s;%s%s', relname,
    string_agg(members.text, E',\n    ' ORDER BY place, lpad(within, 40)),
    CASE relkind WHEN 'p' THEN ' PARTITION BY ' || pg_get_partkeydef(oid) ELSE '' END,
    (SELECT text FROM parts WHERE parts.oid = tables.oid), (SELECT text FROM indexes WHERE indexes.oid = tables.oid))
FROM tables JOIN members USING (oid) GROUP BY oid, relname, relkind ORDER BY relname COLLATE "C";
