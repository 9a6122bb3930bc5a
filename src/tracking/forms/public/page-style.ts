/** The style of the hosted page and of the embedded form. */
export const style = `:root{color-scheme:light dark;--ink:#1c2330;--two:#566071;--line:#8590a2;--bg:#f4f5f7;--card:#fff;--main:#1f5eff;--on:#fff;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#eceef2;--two:#b3bac6;--line:#7b8699;--bg:#12151b;--card:#1b2029;--main:#9db8ff;--on:#0b1a45;--bad:#ffb4ab}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--bg);margin:0}
main{max-width:36rem;margin:0 auto;padding:2rem 1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem}
form,.card{background:var(--card);border-radius:.75rem;padding:1.25rem;margin-top:1.25rem}
.lead,.hint{color:var(--two);white-space:pre-line;margin:0}
.hint{font-size:.875rem}
.f{margin:0 0 1.25rem;padding:0;border:0;min-width:0}
label,legend{font-weight:600;padding:0}
.c label,.o label{font-weight:400}
.c,.o div{display:flex;gap:.6rem;align-items:flex-start}
.c{margin:0 0 1.25rem}
.o input,.c input{width:1.15rem;height:1.15rem;margin:.2rem 0 0;flex:none;accent-color:var(--main)}
.s{display:flex;flex-wrap:wrap;gap:.4rem}
.s label{display:flex;flex-direction:column;align-items:center;min-width:2rem;font-weight:400}
input:not([type=checkbox]):not([type=radio]),textarea,select{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.4rem;padding:.55rem .7rem;width:100%;margin-top:.25rem}
textarea{min-height:7rem;resize:vertical}
[aria-invalid=true]{border-color:var(--bad)!important}
.bad{color:var(--bad);margin:.25rem 0 0}
.bad a{color:inherit}
button{font:inherit;font-weight:600;padding:.65rem 1.4rem;border:0;border-radius:.4rem;background:var(--main);color:var(--on);cursor:pointer}
button[disabled]{opacity:.6}
:focus-visible{outline:3px solid var(--main);outline-offset:2px}
.hp{position:absolute;left:-9999px}`
