/** The settings that analytics-next loads first. It puts this `apiKey` into its events. */
export const segmentSettings = (key: string, host: string, protocol: string): object => ({
  integrations: { 'Segment.io': { apiKey: key, apiHost: `${host}/v1`, protocol } },
})

/** The configuration that RudderStack's client loads first. */
export const rudderConfig = (writeKeyId: string): object => ({
  source: { id: writeKeyId, config: {}, destinations: [] },
})
