import type { Client } from 'pg'

const typeOf: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  xid8: 'string',
  json: 'unknown',
  jsonb: 'unknown',
  numeric: 'string',
  text: 'string',
  date: 'string',
  timestamptz: 'Date',
  tsvector: 'string',
  uuid: 'string',
}

export async function tablesSource(client: Client): Promise<string> {
  const { rows } = await client.query<{
    table: string
    column: string
    type: string
    nullable: boolean
  }>(`
    select c.relname as table, a.attname as column, t.typname as type, not a.attnotnull as nullable
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname, a.attnum`)
  const tables = Map.groupBy(rows, (row) => row.table)
  const body = [...tables].map(([table, columns]) => {
    const lines = columns.map(({ column, type, nullable }) => {
      const element = typeOf[type.replace(/^_/, '')]
      if (!element)
        throw new Error(`scripts/generate-tables.ts knows no TypeScript type for ${table}.${column}: ${type}`)
      const ts = `${element}${type.startsWith('_') ? '[]' : ''}${nullable ? ' | null' : ''}`
      return `    ${column}: ${ts}`
    })
    return `  ${table}: {\n${lines.join('\n')}\n  }`
  })
  return `// Written by scripts/generate-tables.ts from the migrated database; do not edit.\n\n/** The columns of every table. */\nexport type Tables = {\n${body.join('\n')}\n}\n\n/** The type of a row that has only the columns \`Name\` of a table. */\nexport type Columns<Table extends keyof Tables, Name extends keyof Tables[Table]> = Pick<Tables[Table], Name>\n`
}
