/** Colours as Slack's, checked for 4.5:1 on both grounds. */
export const style = `
:root{color-scheme:light dark;
--ground:light-dark(#fff,#1a1d21);--text:light-dark(#1d1c1d,#e6e7e8);--quiet:light-dark(#5c5b5d,#abadb0);
--line:light-dark(#dddddd,#3b3e44);--side:light-dark(#4a154b,#1d1420);--sideText:#fff;--sideQuiet:#d9c8da;
--accent:light-dark(#1264a3,#4bb1f0);--code:light-dark(#c01343,#f2889f);--codeGround:light-dark(#f6f6f6,#26292e);
--ok:light-dark(#007a5a,#2bac76);--okText:light-dark(#fff,#0b1310);--mention:light-dark(#fff3d0,#4a3c12)}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.demo{display:block;margin:0;padding:4px 16px;background:var(--mention);font-size:13px;text-align:center}
main{padding:16px 20px}
h1{font-size:20px;margin:0 0 12px}
h2{font-size:16px;margin:20px 0 8px}
.bar{display:flex;gap:8px;align-items:center;justify-content:center;padding:20px 16px 0;font-size:22px;font-weight:800;letter-spacing:-.03em}
.bar span{font-size:13px;font-weight:400;letter-spacing:0;color:var(--quiet)}
.card{max-width:560px;margin:16px auto;padding:28px;border:1px solid var(--line);border-radius:12px;box-shadow:0 4px 24px #0000000f}
.pair{display:flex;gap:10px;align-items:center;justify-content:center;margin:0 0 16px}
.pair i{width:44px;border-top:3px dotted var(--quiet)}
.pair .avatar{width:52px;height:52px;border-radius:12px;font-size:22px}
.avatar.letter{background:#611f69}
.consent h1{font-size:24px;line-height:1.25;text-align:center;text-wrap:balance}
.answers{justify-content:flex-end;margin:24px 0 0}
.answers button{min-width:110px}
.teams{list-style:none;margin:0;padding:0}
.teams li{display:flex;gap:12px;align-items:center;padding:14px 0;border-top:1px solid var(--line)}
.teams a,.teams .quiet{display:block}
.teams a{font-weight:700}
fieldset{border:0;margin:16px 0;padding:0}
legend{font-weight:600;padding:0}
.choice{display:flex;gap:10px;align-items:center;padding:8px 0}
.choice input{flex:none;width:18px;height:18px;accent-color:var(--ok)}
.row{display:flex;flex-wrap:wrap;gap:10px;align-items:center}
button,.button{font:inherit;font-weight:600;min-height:44px;padding:8px 16px;border-radius:8px;border:1px solid var(--quiet);background:transparent;color:inherit;cursor:pointer}
button.main{background:var(--ok);border-color:var(--ok);color:var(--okText)}
input[type=search]{font:inherit;min-width:0;width:100%;padding:6px 8px;border:1px solid var(--quiet);border-radius:4px;background:var(--ground);color:var(--text)}
.quiet{color:var(--quiet);font-size:13px}
.space{display:grid;grid-template-columns:270px minmax(0,1fr);min-height:calc(100vh - 28px)}
.space>*{grid-row:1}
.side{grid-column:1;display:flex;flex-direction:column;background:var(--side);color:var(--sideText);padding:16px 12px;min-width:0}
.side form:last-child{margin-top:auto;padding-top:24px}
.team{display:grid;grid-template-columns:auto 1fr;gap:0 10px;align-items:center;padding:0 0 12px;margin-bottom:4px;border-bottom:1px solid #ffffff2e}
.team .avatar{grid-row:span 2;background:#ffffff26}
.team p{margin:0;font-size:18px;font-weight:800;line-height:1.2}
.team a{font-size:13px;color:var(--sideQuiet);text-decoration:underline;padding:2px 0}
.side a{color:inherit;text-decoration:none}
.side .quiet{color:var(--sideQuiet)}
.side h2{font-size:13px;color:var(--sideQuiet);font-weight:600}
.side :focus-visible{outline-color:#fff}
.side ul{list-style:none;margin:8px 0;padding:0}
.side li a{display:flex;gap:6px;padding:4px 8px;border-radius:6px}
.side li a:hover{background:#ffffff1f}
.side li a[aria-current]{background:#1164a3;color:#fff}
.count{margin-left:auto;font-weight:700}
.side button{border-color:var(--sideQuiet)}
.side label{display:block;margin-top:12px;font-size:13px;color:var(--sideQuiet)}
.room{grid-column:2;display:flex;flex-direction:column;padding:0}
.head,.notice{margin-inline:20px}
#fil{flex:1;padding:0 20px 16px}
.composer{margin:0;padding:12px 16px;border-top:1px solid var(--line);background:var(--ground);color:var(--quiet);font-size:13px}
.composer label{font-size:13px}
.composer input{flex:1;min-width:0;font:15px/1.5 system-ui,sans-serif;min-height:44px;padding:6px 10px;border:1px solid var(--quiet);border-radius:8px;background:var(--ground);color:var(--text)}
.message.shown{margin:0;border-top:1px dashed var(--line);background:var(--codeGround)}
.chart{max-width:560px;margin:0}
.chart svg{width:100%;height:auto;display:block}
.chart figcaption{font-weight:700}
.head{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;border-bottom:1px solid var(--line);padding:14px 20px;margin:0}
.head h1{margin:0;font-size:18px}
.notice{border:1px solid var(--line);border-radius:8px;padding:12px 16px;margin:16px 0}
.thread{list-style:none;margin:0;padding:0}
.thread .day{display:flex;justify-content:center;margin:20px 0 8px;border-top:1px solid var(--line)}
.thread .day span{background:var(--ground);border:1px solid var(--line);border-radius:20px;padding:2px 14px;margin-top:-14px;font-size:13px;font-weight:600}
.message{display:grid;grid-template-columns:36px minmax(0,1fr);gap:10px;padding:8px 20px;margin:0 -20px}
.message:hover{background:var(--codeGround)}
.avatar{flex:none;width:36px;height:36px;border-radius:8px;background:#1d56c9;color:#fff;display:grid;place-items:center;font-weight:700}
.message p{margin:0}
.who b{margin-right:4px}
.app{font-size:11px;font-weight:600;padding:1px 4px;border-radius:3px;background:var(--line)}
.message time{color:var(--quiet);font-size:12px;margin-left:6px}
code,pre{font:13px/1.5 ui-monospace,monospace;background:var(--codeGround);border:1px solid var(--line);border-radius:4px}
code{color:var(--code);padding:1px 4px}
pre{padding:8px;margin:4px 0;white-space:pre-wrap}
blockquote{margin:4px 0;padding-left:12px;border-left:4px solid var(--line)}
.mention{background:var(--mention);border-radius:3px;padding:0 2px}
.block{margin:6px 0}
.block h2{font-size:18px;margin:4px 0}
.fields{display:grid;grid-template-columns:repeat(auto-fit,minmax(160px,1fr));gap:8px}
.block hr{border:0;border-top:1px solid var(--line)}
.table{overflow-x:auto;--end:light-dark(#0003,#fff4);background:linear-gradient(90deg,var(--ground) 50%,#0000) 0 0/32px 100% no-repeat local,
linear-gradient(270deg,var(--ground) 50%,#0000) 100% 0/32px 100% no-repeat local,
linear-gradient(90deg,var(--end),#0000) 0 0/12px 100% no-repeat,linear-gradient(270deg,var(--end),#0000) 100% 0/12px 100% no-repeat}
.table table{border-collapse:collapse}
.table th,.table td{border:1px solid var(--line);padding:4px 10px;text-align:left;font-weight:inherit}
.table thead th{font-weight:bold}
.table :is(th,td){min-width:6rem}
.table :is(th,td):first-child{min-width:8rem}
.table .right{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
@media (max-width:700px){.space{display:block;min-height:0}.side{display:block;padding:12px 16px}.side .list{max-height:168px;overflow-y:auto}.side form:last-child{padding-top:12px}main{padding:16px}.card{padding:20px 16px;margin:12px 0}.room{padding:0;min-height:60vh}.answers button{flex:1}}
@media (max-width:480px){.table{margin-left:-46px}.table table{overflow-wrap:break-word}.table :is(th,td),.table :is(th,td):first-child{min-width:0;padding:4px 6px;font-size:13px}}
`;
