import type { RequestListener } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { ApiError, ConfigurationError, ConnectionError } from '../../sdk/src/main.ts'
import { importFile } from '../../sdk/src/node.ts'
import { fileNamed } from '../support/processes.ts'
import { clientOf, clientOfStub, closeStubs, someKey } from './stub.ts'

afterAll(closeStubs)

const answer =
  (status: number, type: string, text?: string): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': type }).end(text)

describe('an answer of another server throws an ApiError that says what to check', () => {
  test.each<[string, RequestListener]>([
    ['an HTML page', answer(200, 'text/html', '<html>Sign in</html>')],
    ['JSON null', answer(200, 'application/json', 'null')],
    ['a JSON list', answer(200, 'application/json', '[]')],
    ['an object without data', answer(200, 'application/json', '{"ok":true}')],
    ['an empty answer', answer(204, 'application/json')],
    ['an HTML page of a firewall', answer(403, 'text/html', '<html>Blocked</html>')],
    ['a JSON text', answer(422, 'application/json', '"no"')],
    ['an error of another API', answer(422, 'application/json', '{"detail":[1,null,{"loc":"x"}]}')],
  ])('%s in place of an answer throws an ApiError that says what to check', async (_title, listener) => {
    const client = await clientOfStub(listener, { maxRetries: 0 })
    for (const call of [client.contacts.list(), client.contacts.get('c1')]) {
      const error = await call.catch((e) => e)
      expect(error).toBeInstanceOf(ApiError)
      expect(error.message).toContain('check baseUrl')
    }
  })

  test('an HTML page in place of an export throws an ApiError', async () => {
    const client = await clientOfStub(answer(200, 'text/html; charset=utf-8', '<html>Sign in</html>'))
    await expect(client.contacts.export()).rejects.toThrow('check baseUrl')
  })
})

test('an answer that breaks off, or is not JSON, throws a ConnectionError with the reason', async () => {
  const client = await clientOfStub(answer(200, 'application/json', '{"data":['), { maxRetries: 0 })
  const error = await client.contacts.list().catch((e) => e)
  expect(error).toBeInstanceOf(ConnectionError)
  expect(error.message).toContain('is cut off, or is not JSON')
})

test('an export that breaks off throws a ConnectionError to its reader', async () => {
  const client = await clientOfStub((_request, response) =>
    response.writeHead(200, { 'content-length': 99 }).write('a,b\r\n', () => response.destroy()),
  )
  const error = await client.contacts
    .export()
    .then((rows) => new Response(rows).text())
    .catch((e) => e)
  expect(error).toBeInstanceOf(ConnectionError)
  expect(error.message).toMatch(/^GET \/contacts\/export: the answer is cut off, of http:/)
})

describe('a call that cannot work throws a ConfigurationError before anything is sent', () => {
  const client = clientOf({ address: 'http://127.0.0.1:2', token: someKey })

  test.each([
    ['an id of two dots', () => client.contacts.get('..'), 'contact_id'],
    ['an id of one dot', () => client.contacts.archive('.'), 'contact_id'],
    ['a negative number', () => client.contacts.list({}, { timeoutMs: -1 }), 'timeoutMs must be'],
    ['NaN', () => client.contacts.list({}, { deadlineMs: Number.NaN }), 'deadlineMs must be'],
    [
      'a text in place of a number',
      () => client.contacts.list({}, { maxRetries: '3' as never }),
      'maxRetries',
    ],
    ['a header with a line end', () => client.contacts.create({}, { idempotencyKey: 'a\nb' }), 'header'],
    ['a header with a check mark', () => client.contacts.list({}, { headers: { 'x-note': '✓' } }), 'header'],
    ['a folder in place of a file', () => importFile(client.contacts, fileNamed('..')), 'is a folder'],
  ])('%s throws a ConfigurationError before anything is sent', async (_title, call, text) => {
    const error = await Promise.resolve(call()).catch((e) => e)
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error.message).toContain(text)
  })

  test('the constructor refuses invalid numbers', () => {
    const make = () => clientOf({ address: 'http://127.0.0.1:2', token: someKey }, { maxRetries: -1 })
    expect(make).toThrow('maxRetries must be')
  })
})
