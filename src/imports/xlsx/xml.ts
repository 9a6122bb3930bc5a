import { Parser } from 'htmlparser2'
import { nextSlice } from '../../platform/slices.ts'
import { BrokenSpreadsheet } from './archive.ts'

/** The number of bytes for each step of the parser. A step takes about a millisecond. */
const stepBytes = 32 * 1024
/** The maximum number of bytes between two tags. The parser keeps them in memory. */
const tagBytesMax = 1024 * 1024
/** The maximum nesting of elements. The deeper a tag is, the longer the parser takes. */
const depthMax = 100

/** Names come without a prefix: `x:row` becomes `row`. */
export type XmlHandler = {
  open(name: string, attributes: Record<string, string>): void
  text?(text: string): void
  close?(name: string): void
}

/**
 * Parses a part in steps. After each step it yields, so that other organizations get the thread.
 * @param owner the organization in whose slices of thread time the part is parsed
 * @throws BrokenSpreadsheet
 */
export async function* parsingXml(
  chunks: AsyncIterable<Buffer>,
  handler: XmlHandler,
  owner: string,
): AsyncGenerator<undefined, void> {
  let sinceTag = 0
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        sinceTag = 0
        if (++depth > depthMax)
          throw new BrokenSpreadsheet(`The spreadsheet has more than ${depthMax} elements inside each other.`)
        handler.open(localName(name), attributes)
      },
      ontext(text) {
        handler.text?.(text)
      },
      onclosetag(name) {
        sinceTag = 0
        depth--
        handler.close?.(localName(name))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += stepBytes) {
      const step = chunk.subarray(at, at + stepBytes)
      sinceTag += step.length
      if (sinceTag > tagBytesMax)
        throw new BrokenSpreadsheet('The spreadsheet has a value of more than 1 MiB, or is damaged.')
      parser.write(decoder.decode(step, { stream: true }))
      yield
      await nextSlice(owner)
    }
  }
  parser.end(decoder.decode())
}

/** Parses a whole part. @throws BrokenSpreadsheet */
export async function parseXml(
  chunks: AsyncIterable<Buffer>,
  handler: XmlHandler,
  owner: string,
): Promise<void> {
  for await (const _ of parsingXml(chunks, handler, owner));
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)
