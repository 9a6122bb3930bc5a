import type { Readable } from 'node:stream'

/**
 * Passes on whole lines of the log of a process. If several processes wrote to one pipe, a line of more than 4 KiB
 * could contain parts of other lines.
 */
export function passLines(source: Readable, write: (line: string) => void): void {
  let rest = ''
  source.setEncoding('utf8')
  source.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) write(`${line}\n`)
  })
  // A process that was killed may have left half a line.
  source.on('end', () => {
    if (rest !== '') write(`${rest}\n`)
  })
}
