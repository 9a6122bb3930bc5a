import type { Client } from 'pg'

const typeOf: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  json: 'unknown',
  jsonb: 'unknown',
  numeric: 'string',
  text: 'string',
  timestamptz: 'Date',
  tsvector: 'string',
  uuid: 'string',
}

/** The source of tables.ts for the database behind `client`. */
export async function tablesSource(client: Client): Promise<string> {
  const { rows } = await client.query<{
    table: string
    column: string
    type: string
    nullable: boolean
    generated: boolean
    has_default: boolean
  }>(`
    select c.relname as table, a.attname as column, t.typname as type, not a.attnotnull as nullable,
           a.attidentity <> '' as generated, a.atthasdef as has_default
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname, a.attnum`)
  const tables = Map.groupBy(rows, (row) => row.table)
  const body = [...tables].map(([table, columns]) => {
    const lines = columns.map(({ column, type, nullable, generated, has_default }) => {
      const element = typeOf[type.replace(/^_/, '')]
      if (!element)
        throw new Error(`scripts/generate-tables.ts knows no TypeScript type for ${table}.${column}: ${type}`)
      const ts = `${element}${type.startsWith('_') ? '[]' : ''}${nullable ? ' | null' : ''}`
      return `    ${column}: ${generated || has_default ? `Generated<${ts}>` : ts}`
    })
    return `  ${table}: {\n${lines.join('\n')}\n  }`
  })
  return `// Written by scripts/generate-tables.ts from the migrated database; do not edit.\nimport type { Generated } from 'kysely'\n\nexport type Tables = {\n${body.join('\n')}\n}\n`
}
