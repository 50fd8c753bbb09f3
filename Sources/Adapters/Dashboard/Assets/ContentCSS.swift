// Made by .ci/embed-web from Web/content.css; change that file.
extension WebAsset {
    static let contentCSS = #"""
        .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; margin: 0 0 1rem; }

        .card {
          background: var(--card);
          border: 1px solid var(--line);
          border-radius: .75rem;
          padding: 1rem;
          margin: 0 0 1rem;
          min-width: 0;
        }
        .cards .card { margin: 0; }
        .card > :last-child { margin-bottom: 0; }

        .figure { margin: 0; font-size: 1.9rem; font-weight: 650; line-height: 1.2; }
        .figure small { font-size: 1rem; font-weight: 400; color: var(--quiet); }
        .quiet { color: var(--quiet); }
        .warn { color: var(--warn); }
        .good { color: var(--good); }
        .name { max-width: 24rem; }

        .facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem 1rem; margin: 0 0 .5rem; }
        .facts div { min-width: 0; }
        .facts dt { color: var(--quiet); font-size: .875rem; }
        .facts dd { margin: 0; font-weight: 600; }

        .choice { display: flex; flex-wrap: wrap; gap: .25rem; margin: 0 0 1rem; padding: 0; list-style: none; }
        .steps-through { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; margin: 0 0 1rem; }
        .steps-through h2 { margin: 0; }

        /* A shade at the edge behind which a table goes on. What lies over it moves with the table, so at its ends there is none. */
        .scroll {
          overflow-x: auto;
          background:
            linear-gradient(to right, var(--card) 1rem, transparent) left / 2rem 100% no-repeat local,
            linear-gradient(to left, var(--card) 1rem, transparent) right / 2rem 100% no-repeat local,
            linear-gradient(to right, var(--shade), transparent) left / .75rem 100% no-repeat scroll,
            linear-gradient(to left, var(--shade), transparent) right / .75rem 100% no-repeat scroll;
        }
        time, .whole { white-space: nowrap; }
        .moment { white-space: normal; }
        table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
        caption { text-align: left; color: var(--quiet); padding-bottom: .25rem; }
        th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
        th, td { overflow-wrap: break-word; max-width: 18rem; }
        th { font-weight: 600; }
        td.number, th.number { text-align: right; }
        td.number { white-space: nowrap; }
        details { margin-top: .5rem; }
        summary { cursor: pointer; color: var(--link); width: fit-content; }

        button, .button {
          display: inline-block;
          padding: .4rem .8rem;
          border: 1px solid var(--mark);
          border-radius: .5rem;
          background: var(--card);
          color: var(--link);
          font: inherit;
          cursor: pointer;
          text-decoration: none;
        }
        button:hover, .button:hover { background: var(--mark); color: var(--on-mark); }
        button.strong { background: var(--mark); color: var(--on-mark); }
        label { display: block; font-weight: 600; margin: 0 0 .25rem; }
        input, select {
          padding: .4rem .6rem;
          border: 1px solid var(--quiet);
          border-radius: .5rem;
          background: var(--card);
          color: var(--text);
          font: inherit;
          max-width: 100%;
        }
        .worn, .below { display: block; }
        .below { color: var(--quiet); font-size: .875rem; font-weight: 400; }
        #runs tbody th { white-space: nowrap; }
        .phase { margin: 0 0 .5rem; }
        progress { display: block; width: 100%; height: .75rem; accent-color: var(--bar); }
        .selection { min-height: 0; }
        .tick { display: block; font-weight: 400; padding: .15rem 0; }
        th .tick { margin: 0; padding: 0; }
        fieldset { border: 1px solid var(--line); border-radius: .5rem; margin: 0 0 .75rem; padding: .5rem .75rem; }
        legend { font-weight: 600; padding: 0 .25rem; }
        code { font: .875em ui-monospace, "DejaVu Sans Mono", monospace; }
        td form { margin: 0; }
        td button { padding: .1rem .5rem; }
        .fields { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; }
        .fields > * { min-width: 0; max-width: 100%; }
        .fields > * { min-width: 0; max-width: 100%; }
        .notice { border-left: .3rem solid var(--mark); padding: .5rem .75rem; background: var(--card); margin: 0 0 1rem; }
        .notice.warn { border-color: var(--warn); }

        @media (max-width: 36rem) {
          .cards { grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .5rem; }
          .card { padding: .75rem; }
          .figure { font-size: 1.5rem; }
          th, td { padding: .35rem .4rem; }
        }

        @media print {
          .top nav, .choice, form, .skip { display: none; }
          .card { break-inside: avoid; }
          .scroll { background: none; }
        }

        """#
}
