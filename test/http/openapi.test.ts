import { readFileSync } from 'node:fs'
import { validate } from '@scalar/openapi-parser'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { methodsText } from '../../scripts/generate-methods.ts'
import { openApiText } from '../../scripts/generate-openapi.ts'
import { endpoints } from '../../src/api.ts'
import { apiDocument } from '../../src/api-document.ts'
import { type Endpoint, endpoint } from '../../src/platform/http/endpoint.ts'
import { type JsonSchema, toJsonSchema } from '../../src/platform/http/json-schema.ts'
import { openApiDocument } from '../../src/platform/http/openapi.ts'
import { runUnsliced } from '../../src/platform/slices.ts'
import { WebhookEvent } from '../../src/webhook-document.ts'
import { startTestApp } from '../support/app.ts'

const app = await startTestApp({ publicUrl: 'https://crosswalk.example' })
afterAll(() => app.close())

const document = apiDocument(null)
const operations = endpoints.map((endpoint) => ({
  endpoint,
  operation: document.paths[endpoint.path]?.[endpoint.method.toLowerCase()] as unknown as Operation,
}))

type Operation = {
  operationId: string
  tags: string[]
  'x-sdk-method': string
  'x-sdk-shape': string
  parameters: { name: string; in: string; 'x-sdk-client'?: boolean }[]
  responses: Record<string, object>
  requestBody?: { content: Record<string, { example?: unknown }> }
}

function withTitle(schema: JsonSchema): JsonSchema[] {
  const inner = Object.entries(schema).flatMap(([keyword, value]) =>
    typeof value === 'object' && value !== null && keyword !== 'examples'
      ? withTitle(value as JsonSchema)
      : [],
  )
  return typeof schema.title === 'string' ? [schema, ...inner] : inner
}

describe('openapi.json', () => {
  test('openapi.json is what scripts/generate-openapi.ts writes', () => {
    const committed = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
    expect(committed === openApiText(), 'run npm run generate, and commit openapi.json').toBe(true)
  })

  test('openapi.json is a valid OpenAPI 3.1 document without broken references', async () => {
    expect(document.openapi).toBe('3.1.0')
    const { valid, errors } = await validate(structuredClone(document))
    expect({ valid, errors }).toEqual({ valid: true, errors: [] })
  })

  test('openapi.json has exactly one complete component for each schema with a title', () => {
    const messages = [toJsonSchema(WebhookEvent, 'output')]
    const titled = endpoints
      .flatMap(({ query, body, response }) => [
        ...(query ? [toJsonSchema(query, 'input')] : []),
        ...(body ? [toJsonSchema(body, 'input')] : []),
        ...(response ? [toJsonSchema(response, 'output')] : []),
      ])
      .concat(messages)
      .flatMap(withTitle)
    // The parts of a union have its properties.
    const fields = titled.map(
      ({ title, oneOf, properties = {} }) => [title!, oneOf ? [] : Object.keys(properties)] as const,
    )
    for (const [title, names] of fields) {
      expect(title).toMatch(/^([A-Z][a-z]+)+$/)
      expect([title, Object.keys(document.components.schemas?.[title]?.properties ?? {})]).toEqual([
        title,
        names,
      ])
    }
    const shared = [
      'Problem',
      'ErrorCode',
      'ValidationError',
      'ValidationCode',
      'ValidationDetail',
      'Pagination',
    ]
    expect(Object.keys(document.components.schemas!).sort()).toEqual(
      [...new Set([...shared, ...fields.map(([title]) => title)])].sort(),
    )
  })

  test('openapi.json cannot be generated if two different schemas have one title', () => {
    const titled = (shape: z.ZodRawShape, path: string): Endpoint =>
      endpoint({
        ...{ method: 'GET', path, name: 'read_thing', sdk: 'things.get', summary: 'Read', tag: 'Things' },
        permission: null,
        ...{ shape: 'data', response: z.object(shape).meta({ title: 'Thing' }), handle: async () => ({}) },
      })
    const parts = {
      info: document.info as never,
      tags: [],
      servers: [],
      webhooks: [],
      webhookEvent: z.null(),
      sampleAddress: '',
    }
    const [one, other] = [titled({ a: z.string() }, '/a'), titled({ b: z.string() }, '/b')]
    expect(() => runUnsliced(openApiDocument({ ...parts, endpoints: [one, other] }))).toThrow(
      'have the title Thing',
    )
    expect(() => runUnsliced(openApiDocument({ ...parts, endpoints: [one, one] }))).not.toThrow()
  })

  test('openapi.json describes every endpoint once, with a unique operationId', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    expect(names).toEqual(endpoints.map(({ name }) => name))
    expect(new Set(names).size).toBe(names.length)
    const described = Object.values(document.paths).flatMap((operations) => Object.keys(operations))
    expect(described).toHaveLength(endpoints.length)
  })

  test('openapi.json names an SDK method for every operation: resources in camelCase, then a verb', () => {
    const methods = endpoints.map(({ sdk }) => sdk)
    for (const method of methods) expect(method).toMatch(/^([a-z]+([A-Z][a-z]+)*\.)+[a-z]+([A-Z][a-z]+)*$/)
    expect(new Set(methods).size).toBe(methods.length)
    const resources = new Set(
      methods.flatMap((method) =>
        method
          .split('.')
          .slice(0, -1)
          .map((_, at, all) => all.slice(0, at + 1).join('.')),
      ),
    )
    expect(methods.filter((method) => resources.has(method))).toEqual([])
    expect(operations.map(({ operation }) => operation['x-sdk-method'])).toEqual(methods)
  })

  test('openapi.json still has every SDK method that sdk/methods.txt lists', () => {
    const committed = readFileSync(new URL('../../sdk/methods.txt', import.meta.url), 'utf8')
    expect(committed === methodsText(committed), 'run npm run generate, and commit sdk/methods.txt').toBe(
      true,
    )
    expect(() => methodsText(`${committed}contacts.fetch GET /contacts/{contact_id}\n`)).toThrow(
      'sdk/methods.txt: contacts.fetch GET /contacts/{contact_id}.',
    )
  })

  test('openapi.json has the envelope of each answer, and marks the headers that the SDK sends automatically', () => {
    for (const { endpoint, operation } of operations) {
      expect(operation['x-sdk-shape']).toBe(endpoint.shape === 'file' ? 'stream' : endpoint.shape)
      const headers = operation.parameters.filter((parameter) => parameter.in === 'header')
      expect(headers.map((header) => [header.name, header['x-sdk-client']])).toEqual(
        headers.map(({ name }) => [name, true]),
      )
    }
    const shared = Object.values(
      document.components.parameters as Record<string, Operation['parameters'][number]>,
    )
    for (const header of shared) expect(header['x-sdk-client']).toBe(true)
  })

  test('openapi.json describes each tag in a sentence, and has no unused tag', () => {
    const tags = document.tags as { name: string; description: string }[]
    expect(tags.map(({ name }) => name).sort()).toEqual([...new Set(endpoints.map(({ tag }) => tag))].sort())
    for (const { description } of tags) expect(description).toMatch(/^[A-Z].*\.$/)
  })

  test.each(operations.map((each) => [each.endpoint.name, each] as const))(
    'the operation %s is complete',
    (_name, each) => {
      const { endpoint, operation } = each
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(endpoint.path.match(/\{\w+\}/g) ?? [])
      expect(endpoint.name).toMatch(/^[a-z]+(_[a-z]+)+$/)
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '403', '429', '503']))
      if (endpoint.body) {
        expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '413', '422']))
        expect(operation.requestBody?.content['application/json']?.example).toBeDefined()
      }
    },
  )
})

describe('GET /docs', () => {
  test('the API reference on the server shows the server address that clients use', async () => {
    const { body, headers } = await app.stranger.get('/openapi.json', { prefix: '' })
    expect(body.servers).toEqual([{ url: 'https://crosswalk.example/api/v1' }])
    // Vitest compares texts faster than large objects.
    expect(JSON.stringify(body)).toBe(JSON.stringify(apiDocument('https://crosswalk.example')))
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('the API reference on the server loads nothing from other hosts, and its content security policy forbids such loading', async () => {
    const page = await app.stranger.get('/docs', { prefix: '' })
    expect(page.status).toBe(200)
    const loaded = [...page.text.matchAll(/(?:src|href|data-url)="([^"]*)"/g)].map(([, address]) => address!)
    expect(loaded.filter((address) => !address.startsWith('/') && !address.startsWith('data:'))).toEqual([])
    const policy = page.headers.get('content-security-policy')!
    const sources = policy.split('; ').flatMap((directive) => directive.split(' ').slice(1))
    const hosts = [new URL(app.address).host, 'crosswalk.example']
    const own = hosts.flatMap((host) => [`${host}/api/v1/`, `${host}/openapi.json`])
    const usual = ["'none'", "'self'", "'unsafe-inline'", 'blob:', 'data:']
    expect(new Set(sources)).toEqual(new Set([...usual, ...own]))
    expect(policy).toContain("script-src 'self';")
    for (const address of loaded.filter((address) => address.startsWith('/'))) {
      expect((await app.stranger.get(address, { prefix: '' })).status, address).toBe(200)
    }
  })

  test('the API reference on the server sends its script once, and then answers 304 to the ETag', async () => {
    const first = await app.stranger.get('/docs/scalar.js', { prefix: '' })
    expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(first.headers.get('content-encoding')).toBe('gzip')
    expect(first.text.length).toBeGreaterThan(1_000_000)
    const headers = { 'if-none-match': first.headers.get('etag')! }
    const second = await app.stranger.get('/docs/scalar.js', { prefix: '', headers })
    expect({ status: second.status, text: second.text }).toEqual({ status: 304, text: '' })
    const plain = await app.stranger.get('/docs/scalar.js', {
      prefix: '',
      headers: { 'accept-encoding': 'br' },
    })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.text).toBe(first.text)
  })

  test('GET / redirects browsers to the API reference, and sends programs an index', async () => {
    const browser = await app.stranger.get('/', { prefix: '', headers: { accept: 'text/html,*/*' } })
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/docs'])
    const program = await app.stranger.get('/', { prefix: '' })
    expect(program.body).toMatchObject({ reference: '/docs', guides: '/guides', openapi: '/openapi.json' })
  })

  test.each(['/healthz', '/readyz', '/openapi.json', '/docs'])(
    'the reference on the server answers HEAD %s like GET',
    async (path) => {
      const [get, head] = [
        await app.stranger.get(path, { prefix: '' }),
        await app.stranger.send('HEAD', path, { prefix: '' }),
      ]
      expect(head.status).toBe(200)
      expect(head.text).toBe('')
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    },
  )
})
