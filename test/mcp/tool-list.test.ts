import { describe, expect, test } from 'vitest'
import { listedTool, tools } from '../../src/mcp/catalog.ts'
import { splitToolPermissions } from '../../src/mcp/tool-permissions.ts'

type Schema = {
  type?: unknown
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: unknown
  enum?: unknown[]
}

const listed = tools.map(listedTool)
const names = tools.map(({ name }) => name)

test('25 tools take at most 32,000 characters', () => {
  expect(tools).toHaveLength(25)
  expect(new Set(names).size).toBe(25)
  expect(JSON.stringify({ tools: listed }).length).toBeLessThanOrEqual(32_000)
})

describe.each(listed)(
  'the tool $name is described for AI hosts',
  ({ name, title, description, inputSchema, annotations }) => {
    test('a tool has a title, and a description of at most 600 characters that names only existing tools', () => {
      expect(title).toMatch(/^[A-Z].{3,40}$/)
      expect(description.length).toBeLessThanOrEqual(600)
      const named = description.match(
        /\b[a-z]+_(records?|contacts|companies|deals?|duplicates?|merges?|call|calls|push|crm|options|job|organization|outcome|changes)\b/g,
      )
      for (const each of named ?? []) expect(names, `${name} names ${each}`).toContain(each)
    })

    test('a tool describes each argument, except arguments with a clear name', () => {
      const schema = inputSchema as Schema
      const plain =
        /^(tag|tags|status|about|type|object_id|call_id|to_number|persona_id|min_score|redo|archived|decision|response_format)$/
      for (const [argument, { description: text, enum: words }] of Object.entries(schema.properties ?? {}))
        if (!plain.test(argument) && !words) expect(text, `${name}.${argument}`).toMatch(/^.{3,}[.!]$/)
    })

    test('each schema of a tool has one type and no pattern, so that every model can read it', () => {
      for (const schema of schemasIn(inputSchema as Schema)) {
        expect(Array.isArray(schema.type)).toBe(false)
        expect(schema).not.toHaveProperty('pattern')
        expect(schema).not.toHaveProperty('$ref')
      }
    })

    test('a tool refuses unknown names, also in its items and its filters', () => {
      for (const schema of schemasIn(inputSchema as Schema))
        if (schema.properties) expect(schema.additionalProperties).toBe(false)
    })

    test('a tool has a readOnlyHint', () => {
      const isRead = tools.find((each) => each.name === name)?.kind === 'read'
      expect(annotations).toMatchObject({ readOnlyHint: isRead })
      if (isRead) expect(inputSchema).not.toHaveProperty('properties.request_id')
    })
  },
)

test('no tool needs a permission that a connected app never gets', () => {
  const { granted } = splitToolPermissions(null)
  const needed = new Set(tools.flatMap(({ scopes }) => scopes ?? []))
  expect([...needed].filter((scope) => !(granted as readonly string[]).includes(scope))).toEqual([])
  for (const scope of needed) expect(scope).not.toMatch(/manage|\*|agency|api_keys/)
})

function schemasIn(schema: Schema): Schema[] {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])]
  return [schema, ...inner.flatMap(schemasIn)]
}
