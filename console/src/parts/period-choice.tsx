import { Segments } from './field.tsx'

/** Chooses the period of a page. Says whether the page still shows the numbers of the earlier period. */
export function PeriodChoice<Period extends string>({
  value,
  options,
  query,
  onChange,
}: {
  value: Period
  options: readonly (readonly [Period, string])[]
  query: { isPlaceholderData: boolean }
  onChange: (period: Period) => void
}) {
  return (
    <>
      <span role="status" className="three t12 wide-label">
        {query.isPlaceholderData && 'Loading the chosen period…'}
      </span>
      <Segments label="Period" isLabelHidden value={value} options={options} onChange={onChange} />
    </>
  )
}
