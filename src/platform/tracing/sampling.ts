/** The samplers that the specification of OpenTelemetry names. */
export const samplers = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
]

/** Which traces are recorded. `ratio`: the share of traces, from 0 to 1. */
export type Sampling = { sampler: (typeof samplers)[number]; ratio: number }
