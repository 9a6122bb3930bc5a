import { Parser } from 'htmlparser2'
import { nextSlice } from '../../platform/slices.ts'
import { BrokenSpreadsheet } from './archive.ts'

/** The number of bytes for each step of the parser. A step takes about a millisecond. */
const stepBytes = 32 * 1024
/** The maximum number of bytes between two tags. The parser keeps them in memory until the next tag. */
const tagBytesMax = 1024 * 1024
/**
 * The maximum nesting of elements, because the parser takes longer for each tag inside more
 * elements.
 */
const depthMax = 100

/** Names have no prefix: `x:row` is passed as `row`. */
export type XmlHandler = {
  open(name: string, attributes: Record<string, string>): void
  text?(text: string): void
  close?(name: string): void
}

/**
 * Parses a part in steps, and yields after each step, so that other organizations can use the
 * thread.
 * @param owner the organization whose share of the thread is used
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
