import { describe, expect, test } from 'vitest'
import { headersFor, messagesIn } from '../../cli/src/mcp/wire.ts'
import { nearest } from '../../cli/src/nearest.ts'
import { secondsOf } from '../../cli/src/operations/values.ts'
import { csvCell } from '../../cli/src/output/csv.ts'
import { jsonOf, visible, withoutSecrets } from '../../cli/src/output/visible.ts'
import { broken, cut, fitted, padded, widthOf, wrapped } from '../../cli/src/output/width.ts'

test.each<[value: unknown, cell: string]>([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['=1+1', "'=1+1"],
  ['+cmd|calc', "'+cmd|calc"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ["'=1+1", "''=1+1"],
  ['\t=1', "'\t=1"],
  ['+14155550123', '+14155550123'],
  [-5, '-5'],
  [null, ''],
  [{ plan: 'pro' }, '"{""plan"":""pro""}"'],
])('the value %j becomes the CSV cell %s, which no spreadsheet runs', (value, cell) => {
  expect(csvCell(value)).toBe(cell)
})

test.each<[text: string, shown: string]>([
  ['\u001b[31mred', '\\u001b[31mred'],
  ['two\nlines', 'two\\nlines'],
  ['\u009b2J', '\\u009b2J'],
  ['exe\u202egpj', 'exe\\u202egpj'],
  ['a\u061cb', 'a\\u061cb'],
  ['Zoë 👩‍🚀', 'Zoë 👩‍🚀'],
])('a terminal shows the text %j as %s', (text, shown) => {
  expect(visible(text)).toBe(shown)
})

test('JSON escapes control characters of terminals, and keeps every value', () => {
  const value = { name: '\u009b2J\u202e\u001b[0m', list: ['a\nb'] }
  for (const indent of [0, 2]) {
    const text = jsonOf(value, indent)
    expect(JSON.parse(text)).toEqual(value)
    expect(text).not.toMatch(/[\u009b\u202e]/)
  }
})

test('messages show no API key and no secret of webhooks', () => {
  expect(withoutSecrets('a svc_live_abc123, b svc_test_x whsec_A+/b= c')).toBe(
    'a svc_live_…, b svc_test_… whsec_… c',
  )
})

test.each<[text: string, width: number]>([
  ['Ada', 3],
  ['Zoë', 3],
  ['東京', 4],
  ['👩‍🚀', 2],
  ['𠮷', 2],
])('the text %s is %i columns wide on a terminal', (text, width) => {
  expect(widthOf(text)).toBe(width)
  expect(widthOf(padded(text, 10))).toBe(10)
  expect(widthOf(cut(text.repeat(9), 7))).toBeLessThanOrEqual(7)
})

test('a long text breaks between words', () => {
  expect(wrapped('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrapped('a longword', 5)).toEqual(['a', 'longword'])
  expect(broken('a longword', 5)).toEqual(['a', 'longw', 'ord'])
  expect(broken('東京大阪', 4)).toEqual(['東京', '大阪'])
  expect(fitted('  one two three\nfour', 9)).toEqual('  one two\n  three\nfour')
})

describe('a time', () => {
  const now = Date.UTC(2026, 10, 26, 12)
  test.each<[text: string, seconds: number]>([
    ['1795341600', 1795341600],
    ['2h', now / 1000 - 7200],
    ['7d', now / 1000 - 604_800],
    ['2026-11-26', Date.UTC(2026, 10, 26) / 1000],
    ['2026-11-26T10:00:00Z', Date.UTC(2026, 10, 26, 10) / 1000],
  ])('the time %s is read as %i', (text, seconds) => {
    expect(secondsOf('--from', text, now)).toBe(seconds)
  })

  test.each(['', 'tuesday', '2026-13-45', '5y', '-3'])('the time %j is refused', (text) => {
    expect(() => secondsOf('--from', text, now)).toThrow(/--from must be a time/)
  })
})

test.each<[typed: string, word: string | null]>([
  ['lst', 'list'],
  ['craete', 'create'],
  ['LIST', 'list'],
  ['nothing', null],
  ['x', null],
])('the word nearest to %s is %s', (typed, word) => {
  expect(nearest(typed, ['list', 'create', 'update'])).toBe(word)
})

describe('a message to the tool server', () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }

  test('a message to the tool server repeats its version, method and name in headers in version 2026-07-28 only', () => {
    expect(headersFor({ method: 'tools/call', params: { name: 'get_record', _meta } })).toEqual({
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'get_record' },
    })
    expect(
      headersFor({ method: 'resources/read', params: { uri: 'crosswalk://é', _meta } })['mcp-name'],
    ).toBe(`=?base64?${Buffer.from('crosswalk://é').toString('base64')}?=`)
    expect(headersFor({ method: 'tools/call', params: { name: 'get_record' } })).toEqual({})
  })

  test('the answer to a message is read from JSON and from an event stream', () => {
    const answer = { jsonrpc: '2.0', id: 1, result: {} }
    const text = JSON.stringify(answer)
    expect(messagesIn('application/json', text)).toEqual([answer])
    expect(messagesIn('text/event-stream', `event: message\ndata: ${text}\n\ndata: ${text}\n\n`)).toEqual([
      answer,
      answer,
    ])
    expect(messagesIn('application/json', '{"detail":"no"}')).toEqual([])
    expect(messagesIn('text/html', '<html>')).toEqual([])
  })
})
