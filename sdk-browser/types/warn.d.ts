/** Tells the developers of the site. */
export declare function warn(problem: unknown): void;
