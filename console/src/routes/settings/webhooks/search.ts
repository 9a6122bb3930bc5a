const outcomes = ['delivered', 'failed', 'exhausted'] as const

export type EndpointSearch = {
  /** Shows only the attempts with this outcome. */
  outcome?: (typeof outcomes)[number] | undefined
  /** The replay whose progress is shown. */
  replay?: string | undefined
}

/** The view of an endpoint's page, read from its address. Unknown values are left out. */
export const readEndpointSearch = ({ outcome, replay }: Record<string, unknown>): EndpointSearch => ({
  outcome: outcomes.find((one) => one === outcome),
  replay: typeof replay === 'string' ? replay : undefined,
})
