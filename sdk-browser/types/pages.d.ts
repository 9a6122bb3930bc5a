/** Notes a view of the current page, and returns what records it. */
export type View = () => () => void;
/**
 * Records this page, each page to which a script navigates without a load, and each return from the back/forward cache.
 */
export declare function watchPages(view: View): void;
/** Records the view that waits for its title: before any later event, and before the page goes away. */
export declare function settlePage(): void;
