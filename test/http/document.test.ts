import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api.ts'
import { apiDocument } from '../../src/api-document.ts'
import { faultOf } from '../support/schema-check.ts'

// Checks that openapi.json has what SDK generators and sample generators need.

type Schema = {
  $ref?: string
  title?: string
  type?: string | string[]
  description?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
}
type Content = Record<string, { schema: Schema; example?: unknown }>
type Operation = {
  parameters: { name: string; in: string; description?: string; schema: Schema; $ref?: string }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

const document = JSON.parse(JSON.stringify(apiDocument(null))) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
const components = Object.entries(document.components.schemas)
const operations = endpoints.map(({ method, path, sdk }) => {
  const operation = document.paths[path]?.[method.toLowerCase()]
  if (!operation) throw new Error(`The document lacks ${method} ${path}`)
  return { sdk, operation }
})

/** The request bodies and the success answers of an operation, each with its place. */
const contentsOf = ({ requestBody, responses }: Operation): [string, Content[string]][] => [
  ...Object.entries(requestBody?.content ?? {}).map(([type, content]): [string, Content[string]] => [
    `body ${type}`,
    content,
  ]),
  ...Object.entries(responses)
    .filter(([status]) => status < '300')
    .flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(([type, content]): [string, Content[string]] => [
        `${status} ${type}`,
        content,
      ]),
    ),
]

const innerOf = (schema: Schema): [string, Schema][] => [
  ...Object.entries(schema.properties ?? {}).map(([name, inner]): [string, Schema] => [`.${name}`, inner]),
  ...(schema.items ? [['[]', schema.items] as [string, Schema]] : []),
  ...(typeof schema.additionalProperties === 'object'
    ? [['{}', schema.additionalProperties] as [string, Schema]]
    : []),
  ...(schema.anyOf ?? []).map((inner): [string, Schema] => ['', inner]),
  ...(schema.oneOf ?? []).map((inner): [string, Schema] => ['', inner]),
]

/** Schemas without a title. SDK generators would have to invent a name. */
function inlineIn(schema: Schema, place: string): string[] {
  const isUnion = (schema.oneOf ?? schema.anyOf?.filter(({ type }) => type !== 'null') ?? []).length > 1
  const own = schema.properties || isUnion || (schema.enum && schema.enum.length > 1) ? [place] : []
  return [...own, ...innerOf(schema).flatMap(([step, inner]) => inlineIn(inner, place + step))]
}

function undescribedIn(schema: Schema, place: string): string[] {
  const own = Object.entries(schema.properties ?? {})
    .filter(([, { description }]) => !description)
    .map(([name]) => `${place}.${name}`)
  return [...own, ...innerOf(schema).flatMap(([step, inner]) => undescribedIn(inner, place + step))]
}

const isEnvelope = ({ properties = {} }: Schema) => Object.keys(properties).join() === 'data,pagination'

describe('every schema of openapi.json', () => {
  test('every schema of openapi.json with properties, enum values or alternatives is a named component', () => {
    const inline = [
      ...components.flatMap(([title, schema]) =>
        innerOf(schema).flatMap(([step, inner]) => inlineIn(inner, title + step)),
      ),
      ...operations.flatMap(({ sdk, operation }) => [
        ...contentsOf(operation).flatMap(([place, { schema }]) => {
          const parts = isEnvelope(schema) ? Object.values(schema.properties ?? {}) : [schema]
          return parts.flatMap((part) => inlineIn(part, `${sdk} ${place}`))
        }),
        ...operation.parameters.flatMap(({ name, schema }) =>
          schema ? inlineIn(schema, `${sdk} ?${name}`) : [],
        ),
      ]),
    ]
    expect(inline).toEqual([])
  })

  test('every schema of openapi.json has a description for each property', () => {
    expect(components.flatMap(([title, schema]) => undescribedIn(schema, title))).toEqual([])
  })

  test('every schema of openapi.json maps each value of a discriminator to a component', () => {
    const unions = components.filter(([, { discriminator }]) => discriminator)
    expect(unions.length).toBeGreaterThan(2)
    for (const [title, { oneOf = [], discriminator }] of unions) {
      const references = new Set(Object.values(discriminator?.mapping ?? {}))
      expect([title, [...references].sort()]).toEqual([title, oneOf.map(({ $ref }) => $ref).sort()])
      for (const reference of references) {
        const member = document.components.schemas[reference.replace('#/components/schemas/', '')]
        expect(Object.keys(member?.properties ?? {})).toContain(discriminator?.propertyName)
      }
    }
  })

  test('a discriminator of openapi.json has texts as values, and other unions a constant', () => {
    const resolved = ({ $ref, ...schema }: Schema): Schema =>
      $ref ? (document.components.schemas[$ref.replace('#/components/schemas/', '')] ?? {}) : schema
    for (const [title, { oneOf = [], discriminator }] of components.filter(([, { oneOf }]) => oneOf)) {
      const members = oneOf.map((member) => resolved(member).properties ?? {})
      const decides = (name: string) => members.every((member) => member[name]?.const !== undefined)
      const name = discriminator?.propertyName ?? Object.keys(members[0] ?? {}).find(decides) ?? ''
      const types = new Set(members.map((member) => resolved(member[name] ?? {}).type))
      expect([title, [...types]]).toEqual([title, [discriminator ? 'string' : 'boolean']])
    }
  })

  test('each discriminator of openapi.json has an enum of its values, because some generators ignore const', () => {
    for (const [title, { discriminator }] of components.filter(([, schema]) => schema.discriminator)) {
      const { propertyName = '', mapping = {} } = discriminator ?? {}
      for (const [value, reference] of Object.entries(mapping)) {
        const member = document.components.schemas[reference.replace('#/components/schemas/', '')]
        const { $ref = '', ...own } = member?.properties?.[propertyName] ?? {}
        const { enum: values } = document.components.schemas[$ref.replace('#/components/schemas/', '')] ?? own
        expect([title, values]).toEqual([title, expect.arrayContaining([value])])
      }
    }
  })

  test('no optional parameter of GET /contacts has an example: the reference would filter by it', () => {
    const { parameters = [] } = document.paths['/contacts']?.get ?? {}
    expect(parameters.filter((parameter) => 'example' in parameter).map(({ name }) => name)).toEqual([])
  })

  test('no schema of openapi.json limits e-mail addresses to ASCII, because the server accepts jörg@müller.example', () => {
    const formats = components.flatMap(([, { properties = {} }]) =>
      Object.entries(properties).flatMap(([name, { format }]) =>
        /(^|_)email$/.test(name) && format ? [format] : [],
      ),
    )
    expect([...new Set(formats)]).toEqual(['idn-email'])
  })

  test('every schema of openapi.json gives ids and times a format', () => {
    const untold = components.flatMap(([title, schema]) =>
      Object.entries(schema.properties ?? {})
        .filter(([name, { type, format }]) => {
          const types = [type].flat()
          if (/_at$/.test(name)) return types.includes('integer') && format !== 'unix-seconds'
          return /_id$/.test(name) && types.includes('string') && format !== 'uuid' && !otherIds.has(name)
        })
        .map(([name]) => `${title}.${name}`),
    )
    expect(untold).toEqual([])
  })
})

const otherIds = new Set(['client_id', 'external_id', 'provider_call_id', 'provider_voice_id', 'session_id'])

describe('every operation of openapi.json', () => {
  test('every operation of openapi.json has a description for each parameter', () => {
    const undescribed = operations.flatMap(({ sdk, operation }) =>
      operation.parameters
        .filter(({ $ref, description }) => !$ref && !description)
        .map(({ name }) => `${sdk} ?${name}`),
    )
    expect(undescribed).toEqual([])
  })

  test.each(operations.map(({ sdk, operation }) => [sdk, operation] as const))(
    '%s has a valid example of its body and of its answer',
    (_sdk, operation) => {
      for (const [place, { schema, example }] of contentsOf(operation)) {
        if (schema.format === 'binary') continue
        expect([place, example === undefined]).toEqual([place, false])
        expect([place, faultOf(example, schema as never)]).toEqual([place, null])
      }
    },
  )
})
