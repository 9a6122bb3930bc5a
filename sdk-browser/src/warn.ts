/** Tells the developers of the site. */
export function warn(problem: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the only place that developers of the site see
  console.warn('crosswalk:', problem)
}
