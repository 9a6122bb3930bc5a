import { getEventListeners } from 'node:events'
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import {
  ApiError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  Crosswalk,
  InvalidError,
  NotFoundError,
  ServerError,
} from '../../sdk/src/main.ts'
import { sharedTestApp } from '../support/app.ts'
import { clientOf, clientOfStub, closeStubs, json, someKey } from './stub.ts'

const app = await sharedTestApp()
const org = await app.newOrg()
const client = clientOf(org)
afterAll(async () => {
  closeStubs()
  await app.close()
})

describe('errors', () => {
  test('a 422 throws an error that lists its problems, and at() finds the problems of a place', async () => {
    const error = await client.contacts
      .create({ email: 'no address', consent: { email: 'x' as never } })
      .catch((e) => e)
    expect(error).toBeInstanceOf(InvalidError)
    expect(error.at('email')).toHaveLength(1)
    expect(error.at('consent')).toHaveLength(1)
    expect(error.at('phone')).toEqual([])
    expect(error).toMatchObject({
      status: 422,
      code: 'validation_failed',
      name: 'InvalidError',
      replayed: false,
    })
    expect(error.message).toContain('body.email')
  })

  test('the message of a 422 has the hints of the server', async () => {
    const misspelled = client.contacts.create({ frist_name: 'Ada' } as never)
    await expect(misspelled).rejects.toThrow(
      'body.frist_name: Extra inputs are not permitted (did you mean first_name?)',
    )
    const { contact_id } = await client.contacts.create({ last_name: 'Doe' })
    const misplaced = client.contacts.update(contact_id, { version: 1 } as never)
    await expect(misplaced).rejects.toThrow(
      'body.version: Extra inputs are not permitted (expected: the version in the header If-Match)',
    )
    const enumeration = await client.contacts.create({ lifecycle_stage: 'x' as never }).catch((e) => e)
    expect(enumeration.message).not.toContain('(expected')
  })

  test('a connection error names the address that could not be reached', async () => {
    const nobody = clientOf({ address: 'http://127.0.0.1:2', token: someKey }, { maxRetries: 0 })
    const error = await nobody.contacts.create({ email: 'ada@example.com' }).catch((e) => e)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error.message).toBe('POST /contacts: no answer from http://127.0.0.1:2/api/v1 (ECONNREFUSED)')
    const silent = await clientOfStub(() => {}, { maxRetries: 0 })
    const late = silent.contacts.list({}, { timeoutMs: 20 })
    await expect(late).rejects.toThrow(/no answer from http:\/\/127\.0\.0\.1:\d+\/api\/v1 within 20 ms/)
  })

  test('a 404 throws an error with code, text and request id', async () => {
    const error = await client.contacts.get('0192f000-0000-7000-8000-000000000000').catch((e) => e)
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toMatchObject({ code: 'object_not_found', requestId: expect.any(String), problems: [] })
  })

  test('the body of an error has the fields that only this error has; without JSON it is null', async () => {
    const body = { detail: 'sign on', code: 'sso_required', sso: [{ org_id: 'o', org_name: 'Acme' }] }
    const stub = await clientOfStub(json(403, body), { maxRetries: 0 })
    const error = await stub.contacts.list().catch((e) => e)
    expect(error).toMatchObject({ name: 'PermissionError', code: 'sso_required', body })
    const strange = await clientOfStub((_, response) => response.writeHead(502).end('<html>'), {
      maxRetries: 0,
    })
    expect(await strange.contacts.list().catch((e) => e)).toMatchObject({
      status: 502,
      code: null,
      body: null,
    })
  })

  test('an unknown API key throws an AuthenticationError', async () => {
    const stranger = clientOf({ address: org.address, token: someKey })
    await expect(stranger.organization.get()).rejects.toThrow(AuthenticationError)
  })

  test('an answer that is not JSON throws an error that says what to check', async () => {
    const page: RequestListener = (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    const html = await clientOfStub(page)
    const error = await html.contacts.list().catch((e) => e)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 200, code: null, detail: expect.stringContaining('check baseUrl') })
    const gateway: RequestListener = (_, response) => response.writeHead(502).end('Bad gateway')
    await expect((await clientOfStub(gateway, { maxRetries: 0 })).contacts.list()).rejects.toThrow(
      ServerError,
    )
  })

  test('a redirect throws an error that names the target address', async () => {
    const stub = await clientOfStub((_, response) =>
      response.writeHead(301, { location: 'https://x.example/' }).end(),
    )
    await expect(stub.contacts.create({})).rejects.toThrow('https://x.example/')
  })

  test.each<[string, object, string]>([
    ['no key', { apiKey: undefined }, 'apiKey is missing'],
    ['a malformed key', { apiKey: 'svc_live_abc\n' }, 'apiKey is malformed'],
    ['an address without scheme', { baseUrl: 'crosswalk.example.com' }, 'with its scheme'],
    ['no address', { baseUrl: undefined }, 'with its scheme'],
    ['an address with a password', { baseUrl: 'https://u:p@crosswalk.example.com' }, 'must not have a user'],
    ['an unknown option', { api_key: 'x' }, 'Unknown option api_key'],
  ])('the constructor refuses %s', (_title, options, message) => {
    const make = () =>
      new Crosswalk({ apiKey: someKey, baseUrl: 'https://crosswalk.example.com', ...options })
    expect(make).toThrow(ConfigurationError)
    expect(make).toThrow(message)
  })

  test('a call refuses an unknown option, options that are not an object, and a missing id', async () => {
    await expect(client.contacts.get('c1', {}, { retries: 3 } as never)).rejects.toThrow(
      'Unknown option retries',
    )
    for (const options of ['v1', ['v1'], 500]) {
      await expect(client.contacts.get('c1', {}, options as never)).rejects.toThrow('must be an object')
      await expect(client.imports.wait('i1', options as never)).rejects.toThrow('must be an object')
      expect(() => client.events.follow(options as never)).toThrow('must be an object')
    }
    await expect(client.contacts.archive('')).rejects.toThrow('contacts.archive needs contact_id')
    await expect(client.contacts.archive(undefined as never)).rejects.toThrow(ConfigurationError)
  })

  test('forOrg refuses an empty id, which would act on the agency itself', () => {
    expect(() => client.forOrg('')).toThrow('orgId is missing')
  })

  test('the base URL may include the path of the API', async () => {
    for (const path of ['/', '/v1', '/api/v1/'])
      expect(
        (await clientOf({ address: org.address + path, token: org.token }).contacts.list()).data,
      ).toBeDefined()
  })
})

describe('retries', () => {
  function recorded(...listeners: RequestListener[]) {
    const requests: { method: string; key: string | string[] | undefined; body: string }[] = []
    const listener: RequestListener = async (request, response) => {
      const { method = '', headers } = request
      requests.push({ method, key: headers['idempotency-key'], body: await text(request) })
      listeners[requests.length - 1]?.(request, response)
    }
    return { requests, listener }
  }
  const created = json(201, { data: { contact_id: 'c1' }, pagination: null })
  const broken: RequestListener = (request) => request.socket.destroy()
  const truncated: RequestListener = (_, response) => {
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': 100 }).write('{"data":{')
    response.destroy()
  }
  const half: RequestListener = (_, response) =>
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"data":{')
  const missing = json(404, { detail: 'No number has this id', code: 'object_not_found' })

  test('all tries of a POST have one idempotency key and one body', async () => {
    const { requests, listener } = recorded(broken, truncated, half, created)
    const stub = await clientOfStub(listener)
    expect(await stub.contacts.create({ first_name: 'Ada' })).toEqual({ contact_id: 'c1' })
    expect(requests).toHaveLength(4)
    expect(new Set(requests.map(({ key, body }) => `${key} ${body}`)).size).toBe(1)
    expect(requests[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('a POST has an idempotency key even if retries are off', async () => {
    const { requests, listener } = recorded(broken)
    const stub = await clientOfStub(listener, { maxRetries: 0 })
    await expect(stub.contacts.create({})).rejects.toThrow(ConnectionError)
    expect(requests).toMatchObject([{ key: expect.any(String) }])
  })

  test('a retried DELETE succeeds if the object no longer exists', async () => {
    const { requests, listener } = recorded(broken, missing)
    await (await clientOfStub(listener)).voice.numbers.delete('n1')
    expect(requests).toHaveLength(2)
    const first = await clientOfStub(recorded(missing).listener)
    await expect(first.voice.numbers.delete('n1')).rejects.toThrow(NotFoundError)
  })

  test('a refused connection sent nothing: If-Match is repeated, and the 404 of a DELETE is an error', async () => {
    const starting = (): typeof fetch => {
      const refusal = Object.assign(new Error(), { code: 'ECONNREFUSED' })
      const tries = [() => Promise.reject(new TypeError('fetch failed', { cause: refusal }))]
      return (...args) => tries.pop()?.() ?? fetch(...args)
    }
    const stub = await clientOfStub(created, { fetch: starting() })
    expect(await stub.contacts.update('c1', {}, { ifMatch: 1 })).toEqual({ contact_id: 'c1' })
    const empty = await clientOfStub(missing, { fetch: starting() })
    await expect(empty.voice.numbers.delete('n1')).rejects.toThrow(NotFoundError)
  })

  test('a body that is a stream is sent once; a function that returns a stream allows retries', async () => {
    const stream = () => new Blob(['Mail\n']).stream()
    const once = recorded(broken)
    await expect((await clientOfStub(once.listener)).contacts.imports.create(stream())).rejects.toThrow(
      ConnectionError,
    )
    const again = recorded(broken, json(202, { data: { import_id: 'i1' }, pagination: null }))
    await (await clientOfStub(again.listener)).contacts.imports.create(stream)
    expect(again.requests.map(({ body }) => body)).toEqual(['Mail\n', 'Mail\n'])
  })

  test('a call fails immediately if its wait would be longer than maxWaitMs', async () => {
    const { listener } = recorded(json(503, { detail: 'Busy', code: 'server_busy' }, { 'retry-after': 61 }))
    const error = await (await clientOfStub(listener)).contacts.list().catch((e) => e)
    expect(error).toMatchObject({ name: 'ServerError', retryAfter: 61 })
  })

  test('timeoutMs ends a try, and deadlineMs the call', async () => {
    let tries = 0
    const { listener } = recorded()
    const stub = await clientOfStub(listener, { maxRetries: 1, onRequest: () => tries++ })
    await expect(stub.contacts.list({}, { timeoutMs: 30 })).rejects.toThrow('(timeoutMs)')
    expect(tries).toBe(2)
    await expect(stub.contacts.list({}, { deadlineMs: 30 })).rejects.toThrow('(deadlineMs)')
  })

  test('an aborted signal ends a call with its reason', async () => {
    const { listener } = recorded()
    const stub = await clientOfStub(listener)
    const controller = new AbortController()
    const waiting = stub.contacts.list({}, { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })

  test('a signal ends a stream, and keeps no listener once the stream has ended, failed or was left', async () => {
    const rows: RequestListener = (_request, response) => response.writeHead(200).end('a,b\r\n')
    const open: RequestListener = (_request, response) => response.writeHead(200).write('a,b\r\n')
    const cut: RequestListener = (_request, response) =>
      response.writeHead(200, { 'content-length': 99 }).write('a,b\r\n', () => response.destroy())
    const { listener } = recorded(rows, open, cut, open)
    const stub = await clientOfStub(listener)
    const controller = new AbortController()
    const { signal } = controller
    const read = async () => (await stub.contacts.export({}, { signal }))!
    const listeners = () => getEventListeners(signal, 'abort').length

    expect(await text((await read()) as never)).toBe('a,b\r\n')
    expect(listeners()).toBe(0)
    await (await read()).cancel()
    expect(listeners()).toBe(0)
    await expect(text((await read()) as never)).rejects.toThrow()
    expect(listeners()).toBe(0)
    const last = await read()
    controller.abort(new Error('enough'))
    await expect(text(last as never)).rejects.toThrow('enough')
  })
})

describe('the API key', () => {
  test('no error, hook or inspection of the client shows the API key', async () => {
    const told: unknown[] = []
    const tell = (what: unknown) => told.push(what)
    const leaking = Object.assign(new Error(`sent ${someKey}`), {
      code: 'EBROKEN',
      config: { headers: someKey },
    })
    const stub = await clientOfStub(
      json(503, { detail: 'Busy', code: 'server_busy' }, { 'retry-after': 0 }),
      {
        ...{ onRequest: tell, onResponse: tell, onRetry: tell, maxRetries: 1 },
      },
    )
    const broken = clientOf(
      { address: 'http://127.0.0.1:2', token: someKey },
      { fetch: () => Promise.reject(leaking), onRetry: tell, maxRetries: 1 },
    )
    told.push(await stub.contacts.create({}).catch((e) => e), await broken.contacts.list().catch((e) => e))
    told.push(
      await clientOf({ address: 'http://127.0.0.1:2', token: someKey }, { maxRetries: 0 })
        .contacts.list()
        .catch((e) => e),
    )
    told.push(stub, stub.forOrg('o1'))
    expect(told.length).toBeGreaterThan(8)
    const shown = inspect(told, { depth: null, showHidden: true, getters: true })
    expect(shown).toContain('EBROKEN')
    expect(shown).not.toContain('kkkk')
    expect(JSON.stringify(told)).not.toContain('kkkk')
  })
})
