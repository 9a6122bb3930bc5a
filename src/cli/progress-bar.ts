import { Presets, SingleBar } from 'cli-progress'

export type Bar = { update(bytesRead: number, rows: number, refused: number): void; stop(): void }

/**
 * Shows the progress of an import, only on a terminal.
 * @param bytes the size of the file; null if unknown
 */
export function progressBar(bytes: number | null): Bar {
  if (!process.stderr.isTTY) return { update() {}, stop() {} }
  const counts = '{rows} rows, {refused} refused, {rate}/s'
  const format = bytes === null ? counts : `{bar} {percentage} %  ${counts}, {eta_formatted} left`
  const bar = new SingleBar(
    { format, stream: process.stderr, hideCursor: true, barsize: 20, etaBuffer: 50 },
    Presets.shades_classic,
  )
  const startedAt = performance.now()
  const shown = (count: number) => count.toLocaleString('en')
  bar.start(bytes ?? 1, 0, { rows: 0, refused: 0, rate: 0 })
  return {
    update(bytesRead, rows, refused) {
      const rate = Math.round(rows / ((performance.now() - startedAt) / 1000))
      bar.update(bytesRead, { rows: shown(rows), refused: shown(refused), rate: shown(rate) })
    },
    stop: () => bar.stop(),
  }
}
