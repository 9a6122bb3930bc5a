import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EncodingCheck, encodingNamed, encodingOf, toUtf8 } from './encoding.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')

async function decode(bytes: Buffer, encoding: string, chunkBytes: number): Promise<string> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
  const parts: Uint8Array[] = []
  for await (const part of toUtf8(chunks(), encoding)) parts.push(part)
  return Buffer.concat(parts).toString()
}

describe('the encoding of a file', () => {
  test.each([
    ['is UTF-8 for ASCII', Buffer.from('a,b'), 'utf-8'],
    ['is UTF-8 for an empty file', Buffer.alloc(0), 'utf-8'],
    ['is UTF-8 for UTF-8 text', Buffer.from('Müller, 東京, 🙂'), 'utf-8'],
    [
      'is UTF-8 for text that is cut within a character',
      Buffer.from('Müller, 東京').subarray(0, -1),
      'utf-8',
    ],
    [
      'is UTF-8 for UTF-8 text with one name in Latin-1',
      Buffer.concat([Buffer.from('Jürgen Müller\n'), latin('M\xfcller')]),
      'utf-8',
    ],
    ['is Windows-1252 for German text of Excel', latin('M\xfcller;Stra\xdfe;\x80 5'), 'windows-1252'],
    ['is UTF-16 if it begins with that byte order mark', Buffer.from('\ufeffa,b', 'utf16le'), 'utf-16le'],
    [
      'is UTF-16 BE if it begins with that byte order mark',
      Buffer.from('\ufeffa,b', 'utf16le').swap16(),
      'utf-16be',
    ],
  ])('the encoding of a file %s', (_what, bytes, encoding) => {
    expect(encodingOf(bytes)).toEqual({ encoding })
  })

  test.each([
    ['windows-1252', latin('M\xfcller'), { encoding: 'windows-1252' }],
    ['windows-1252', Buffer.from('\ufeffMüller'), { encoding: 'utf-8' }],
    ['windows-1250', latin('\x81\xfc'), { encoding: 'windows-1250' }],
    [
      'utf-8',
      latin('M\xfcller'),
      { problem: expect.stringContaining('The request says that the file is UTF-8') },
    ],
    ['windows-1252', latin('M\x81ller'), { problem: expect.stringContaining('not Windows-1252') }],
    ['shift_jis', latin('\x80\xff\xff'), { problem: expect.stringContaining('not SHIFT_JIS') }],
    ['utf-8', latin('a\0b\0'), { problem: expect.stringContaining('`encoding` to utf-16le') }],
    [undefined, latin('M\xfcller \x81'), { problem: expect.stringContaining('neither UTF-8 nor') }],
    [
      undefined,
      Buffer.from('a,b', 'utf16le'),
      { problem: expect.stringContaining('`encoding` to utf-16le') },
    ],
  ])('a file is checked against the encoding %s that the request names (%#)', (named, bytes, result) => {
    expect(encodingOf(bytes, named)).toEqual(result)
  })

  test('the encoding of a file is the same for any division of the file into chunks', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ü', '東', '🙂', '\n') })
    const encodings = fc.constantFrom<BufferEncoding>('utf8', 'latin1')
    fc.assert(
      fc.property(text, encodings, fc.integer({ min: 3, max: 9 }), (text, encoding, chunkBytes) => {
        const bytes = Buffer.from(text, encoding)
        const check = new EncodingCheck()
        for (let at = 0; at < bytes.length; at += chunkBytes)
          for (const _ of check.read(bytes.subarray(at, at + chunkBytes)));
        expect(check.result()).toEqual(encodingOf(bytes))
        if (encoding === 'utf8') expect(check.result()).toEqual({ encoding: 'utf-8' })
      }),
    )
  })
})

test.each([
  ['latin1', 'windows-1252'],
  [' "UTF-8" ', 'utf-8'],
  ['ISO-8859-1', 'windows-1252'],
  ['utf-16', 'utf-16le'],
  ['x-user-defined', null],
  ['nonsense', null],
  ['', null],
])('the encoding named %j is %j', (label, encoding) => {
  expect(encodingNamed(label)).toBe(encoding)
})

test.each([1, 2, 3, 64])('text is decoded from chunks of %d bytes', async (chunkBytes) => {
  const text = 'Müller;€ 5\n東京'
  expect(await decode(latin('M\xfcller;\x80 5\n'), 'windows-1252', chunkBytes)).toBe('Müller;€ 5\n')
  expect(await decode(Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le', chunkBytes)).toBe(text)
  expect(await decode(Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'utf-16be', chunkBytes)).toBe(text)
  expect(await decode(Buffer.from(text), 'utf-8', chunkBytes)).toBe(text)
})
