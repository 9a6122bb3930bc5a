/** Says that a page still shows the numbers of the period that was chosen before. */
export const OldPeriod = ({ query }: { query: { isPlaceholderData: boolean } }) => (
  <span role="status" className="three t12 wide-label">
    {query.isPlaceholderData && 'Loading the chosen period…'}
  </span>
)
