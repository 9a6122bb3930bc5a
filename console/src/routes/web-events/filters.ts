import type { ListWebEventsQuery, WebEventType } from '../../../../sdk/src/generated/types.ts'
import { textIn } from '../../routing/search-text.ts'

/** The calls of tracking clients, with their names for people. */
export const trackingCalls: readonly (readonly [type: WebEventType, name: string])[] = [
  ['track', 'Track'],
  ['page', 'Page'],
  ['screen', 'Screen'],
  ['identify', 'Identify'],
  ['group', 'Group'],
  ['alias', 'Alias'],
]

const modes = ['all', 'live', 'test'] as const

export type EventsMode = (typeof modes)[number]

const authors = ['people', 'bots'] as const

/** The filters of the web events, in the form of the address. */
export type WebEventFilters = {
  type?: WebEventType | undefined
  name?: string | undefined
  /** The mode of the events. `mode` is that of the whole console. */
  events?: EventsMode | undefined
  /** The actor that caused the events; undefined: every actor. */
  by?: (typeof authors)[number] | undefined
  visitor?: string | undefined
}

export const noFilters: WebEventFilters = {
  type: undefined,
  name: undefined,
  events: undefined,
  by: undefined,
  visitor: undefined,
}

export const readWebEventFilters = ({
  type,
  name,
  events,
  by,
  visitor,
}: Record<string, unknown>): WebEventFilters => ({
  type: trackingCalls.find(([one]) => one === type)?.[0],
  name: textIn(name),
  events: modes.find((one) => one === events),
  by: authors.find((one) => one === by),
  visitor: typeof visitor === 'string' && visitor ? visitor : undefined,
})

/** The mode of the events that are shown. Test mode of the console shows test events, unless the filter says otherwise. */
export const modeOf = ({ events }: WebEventFilters, mode: 'live' | 'test'): EventsMode =>
  events ?? (mode === 'test' ? 'test' : 'all')

export function queryOf(filters: WebEventFilters, consoleMode: 'live' | 'test'): ListWebEventsQuery {
  const mode = modeOf(filters, consoleMode)
  const { type, name, by, visitor } = filters
  return {
    type,
    name,
    mode: mode === 'all' ? undefined : mode,
    bot: by && by === 'bots',
    visitor_id: visitor,
  }
}
