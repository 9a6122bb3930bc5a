const lastSecond = 253_402_300_799

/**
 * The Unix seconds of a day (`2026-08-02`), of a time with a zone (`2026-08-02T09:30:00Z`, `…+02:00`), or of Unix
 * seconds as text. Returns null for other text, including ambiguous days such as 03/04/2026.
 */
export function readTime(text: string): number | null {
  const isTime = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text)
  if (!isTime && !/^\d{1,12}$/.test(text)) return null
  if (isTime && !isDay(text.slice(0, 10))) return null
  const seconds = isTime ? Math.floor(Date.parse(text.replace(' ', 'T')) / 1000) : Number(text)
  return seconds >= 0 && seconds <= lastSecond ? seconds : null
}

/** `Date.parse` reads 30 February as 2 March. */
function isDay(text: string): boolean {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
