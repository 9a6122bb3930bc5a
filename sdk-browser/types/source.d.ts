/** How a visit began. */
export type Source = {
    campaign?: Record<string, string>;
    click_ids?: Record<string, string>;
};
/** The campaign in the address of the page. All other query parameters are ignored, because they may be secret. */
export declare function sourceOf(search: string): Source;
