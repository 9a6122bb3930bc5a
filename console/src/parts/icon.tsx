const paths = {
  alert: 'M8 2.2 14.500 13.500h-13zM8 6.500v3M8 11.600h.01',
  burger: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  check: 'M3 8.500l3.200 3.200L13 4.800',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.800V8l2.200 1.500',
  close: 'M4 4l8 8M12 4l-8 8',
  code: 'M5.500 4.500 2 8l3.500 3.500M10.500 4.500 14 8l-3.500 3.500',
  copy: 'M5.500 5.500h8v8h-8zM3.500 10.500h-1v-8h8v1',
  cross:
    'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11zM6.200 6.200l3.600 3.600M9.800 6.200 6.200 9.800',
  done: 'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11zM5.500 8.200l1.800 1.800 3.200-3.600',
  down: 'm4 6.200 4 4 4-4',
  events: 'M5.500 4H14M5.500 8H14M5.500 12H14M2 4h.8M2 8h.8M2 12h.8',
  globe: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c4 4 4 8 0 12M8 2C4 6 4 10 8 14',
  home: 'M2.500 7 8 2.500 13.500 7v6.500h-4v-4h-3v4h-4z',
  import: 'M8 2v7.500M5 6.800l3 3 3-3M2 11v2.500h12V11',
  key: 'M5 13.500a3.200 3.200 0 1 0 0-6.400 3.200 3.200 0 0 0 0 6.400zM7.300 8 13.500 2M11 4.500l2 2',
  merge: 'M4 2v3.500C4 8.500 8 8 8 11.500V14M12 2v3.500C12 8.500 8 8 8 11.500',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  open: 'M6.500 3h-4v10.500H13v-4M9 2.500h4.500V7M13.300 2.700 7.500 8.500',
  pairs: 'M2.500 2.500h7.500V10H2.500zM6 10v3.500h7.500V6H10',
  passkey:
    'M3.200 11.500C3 9 3.300 3.500 8 3.500c3.700 0 5 3 4.800 6.500M5.500 13.500C5.200 11 5 6.200 8 6.200c2.500 0 2.700 3 2.400 6.300M8 9v5M4.500 2.900A6.500 6.500 0 0 1 11.500 3',
  people:
    'M6 7.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM1.500 13.500c0-2.500 2-4 4.500-4s4.500 1.500 4.500 4M10.500 2.900a2.500 2.500 0 0 1 0 4.200M12 9.800c1.500.5 2.500 1.800 2.500 3.700',
  phone:
    'M3 2.500h2.500l1.200 3.200-1.600 1.200a8 8 0 0 0 4 4l1.200-1.600 3.200 1.200V13c0 .5-.4 1-1 1C7 14 2 9 2 3.500c0-.6.5-1 1-1z',
  plus: 'M8 3v10M3 8h10',
  push: 'M6.500 3H2.500v10.500H13V9.500M9 2.500h4.500V7M13.300 2.700 7 9',
  ring: 'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11z',
  rotate: 'M13.500 8A5.500 5.500 0 1 1 11.600 3.800M13.500 2v3h-3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.600 10.600 14 14',
  settings:
    'M8 10.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400zM8 1.500v2M8 12.500v2M1.500 8h2M12.500 8h2M3.400 3.400l1.400 1.400M11.200 11.200l1.400 1.400M3.400 12.600l1.400-1.400M11.200 4.800l1.400-1.400',
  out: 'M6.500 2.500h-4v11h4M10 5l3 3-3 3M13 8H6',
  trash: 'M2.500 4.500h11M6 4.500v-2h4v2M4 4.500l.6 9h6.800l.6-9',
  usage: 'M2 2v12h12M5 11V8M8.500 11V4.500M12 11V6.500',
} as const

export type IconName = keyof typeof paths

export const iconNames = Object.keys(paths) as IconName[]

/** A picture of 16 px. Screen readers ignore it: the text beside it has its meaning. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: 14 | 16 | 20 }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.5}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
)

/** A half-filled ring, for work that is running. */
export const RunningIcon = ({ size = 14 }: { size?: 14 | 16 }) => (
  <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths.ring} fill="none" stroke="currentColor" strokeWidth={1.5} />
    <path d="M8 5a3 3 0 0 1 0 6z" fill="currentColor" />
  </svg>
)

/** The logo of Crosswalk: three stripes. */
export const Mark = () => (
  <svg width={20} height={18} viewBox="0 0 20 18" fill="currentColor" aria-hidden="true">
    <path d="M.5 16 4.800 2h3L3.500 16zM6.700 16 11 2h3L9.700 16zM12.900 16 17.200 2H20l-4.300 14z" />
  </svg>
)
