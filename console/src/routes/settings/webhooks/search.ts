const outcomes = ['delivered', 'failed', 'exhausted'] as const

export type EndpointSearch = {
  /** Shows only the attempts that ended so. */
  outcome?: (typeof outcomes)[number] | undefined
  /** The replay whose progress is shown. */
  replay?: string | undefined
}

/** What the page of an endpoint shows, from its address. Anything else is left out. */
export const readEndpointSearch = ({ outcome, replay }: Record<string, unknown>): EndpointSearch => ({
  outcome: outcomes.find((one) => one === outcome),
  replay: typeof replay === 'string' ? replay : undefined,
})
