const paths = {
  activity: 'M1.5 8h3l2.2-5 2.8 10 2-5h3',
  alert: 'M8 2.2 14.5 13.5h-13zM8 6.5v3M8 11.6h.01',
  archive: 'M2 3h12v3H2zM3 6v7h10V6M6.5 9h3',
  burger: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  columns: 'M3 3h10v10H3zM6 3v10M10 3v10',
  company: 'M3 13V3h6v10M9 7h4v6M1.5 13h13M5 6h2M5 9h2',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.5',
  close: 'M4 4l8 8M12 4l-8 8',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  cross: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM6.2 6.2l3.6 3.6M9.8 6.2 6.2 9.8',
  done: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM5.5 8.2l1.8 1.8 3.2-3.6',
  down: 'm4 6.2 4 4 4-4',
  events: 'M5.5 4H14M5.5 8H14M5.5 12H14M2 4h.8M2 8h.8M2 12h.8',
  filter: 'M2 4h12M4.5 8h7M6.5 12h3',
  globe: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c4 4 4 8 0 12M8 2C4 6 4 10 8 14',
  home: 'M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z',
  import: 'M8 2v7.5M5 6.8l3 3 3-3M2 11v2.5h12V11',
  key: 'M5 13.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM7.3 8 13.5 2M11 4.5l2 2',
  merge: 'M4 2v3.5C4 8.5 8 8 8 11.5V14M12 2v3.5C12 8.5 8 8 8 11.5',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  open: 'M6.5 3h-4v10.5H13v-4M9 2.5h4.5V7M13.3 2.7 7.5 8.5',
  pairs: 'M2.5 2.5h7.5V10H2.5zM6 10v3.5h7.5V6H10',
  passkey:
    'M3.2 11.5C3 9 3.3 3.5 8 3.5c3.7 0 5 3 4.8 6.5M5.5 13.5C5.2 11 5 6.2 8 6.2c2.5 0 2.7 3 2.4 6.3M8 9v5M4.5 2.9A6.5 6.5 0 0 1 11.5 3',
  pencil: 'M3 13l.6-2.8L11 3l2 2-7.2 7.4z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.9a2.5 2.5 0 0 1 0 4.2M12 9.8c1.5.5 2.5 1.8 2.5 3.7',
  phone:
    'M3 2.5h2.5l1.2 3.2-1.6 1.2a8 8 0 0 0 4 4l1.2-1.6 3.2 1.2V13c0 .5-.4 1-1 1C7 14 2 9 2 3.5c0-.6.5-1 1-1z',
  play: 'M5 3v10l7.5-5z',
  plus: 'M8 3v10M3 8h10',
  push: 'M6.5 3H2.5v10.5H13V9.5M9 2.5h4.5V7M13.3 2.7 7 9',
  ring: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11z',
  rotate: 'M13.5 8A5.5 5.5 0 1 1 11.6 3.8M13.5 2v3h-3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6 14 14',
  settings:
    'M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M3.4 12.6l1.4-1.4M11.2 4.8l1.4-1.4',
  out: 'M6.5 2.5h-4v11h4M10 5l3 3-3 3M13 8H6',
  tag: 'M3 3h5l5.5 5.5-5 5L3 8zM5.5 5.5h.01',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9',
  up: 'm4 9.8 4-4 4 4',
  usage: 'M2 2v12h12M5 11V8M8.5 11V4.5M12 11V6.5',
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
export const Logo = () => (
  <svg width={20} height={18} viewBox="0 0 20 18" fill="currentColor" aria-hidden="true">
    <path d="M.5 16 4.8 2h3L3.5 16zM6.7 16 11 2h3L9.7 16zM12.9 16 17.2 2H20l-4.3 14z" />
  </svg>
)
