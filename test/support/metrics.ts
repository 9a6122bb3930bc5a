import type { TestApp } from './app.ts'

/** Reads the values of a metric, by their labels. */
export async function metricOf({ stranger }: TestApp, name: string): Promise<Record<string, number>> {
  const { text } = await stranger.get('/metrics', { prefix: '' })
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(name.length, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  )
}
