// Made by .ci/embed-web from Web/charts.css; change that file.
extension WebAsset {
    static let chartsCSS = #"""
        .chart { display: block; width: 100%; height: auto; overflow: visible; }
        .chart text { font-size: 12px; fill: var(--quiet); }
        .chart .grid { stroke: var(--line); stroke-width: 1; }
        .chart .bar { fill: var(--bar); }
        .chart a:hover .bar, .chart a:focus .bar { fill: var(--mark); opacity: .75; }
        .chart .span { fill: var(--range); opacity: .8; }
        .chart .dot { fill: var(--card); stroke: var(--range); stroke-width: 1.5; }
        .chart .here { fill: var(--awake); }

        .deep { --stage: var(--deep); }
        .core { --stage: var(--core); }
        .rem { --stage: var(--rem); }
        .asleep { --stage: var(--asleep); }
        .awake { --stage: var(--awake); }
        .in-bed { --stage: var(--in-bed); }
        .shoe-0 { --stage: var(--bar); }
        .shoe-1 { --stage: var(--range); }
        .shoe-2 { --stage: var(--asleep); }
        .shoe-3 { --stage: var(--rem); }
        .shoe-4 { --stage: var(--awake); }
        .shoe-5 { --stage: var(--deep); }
        .synced { --stage: var(--good); }
        .waiting { --stage: var(--awake); }
        .refused { --stage: var(--range); }
        .local { --stage: var(--in-bed); }
        .no-shoe { --stage: var(--in-bed); }
        .chart .stage { fill: var(--stage); }
        .chart .link { stroke: var(--quiet); stroke-width: 1; opacity: .6; }
        .swatch { display: inline-block; width: .75rem; height: .75rem; margin-right: .35rem; border-radius: .2rem; background: var(--stage); }

        .legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .5rem 0; padding: 0; list-style: none; font-size: .9375rem; }
        .legend li::before {
          content: "";
          display: inline-block;
          width: .75rem;
          height: .75rem;
          margin-right: .35rem;
          border-radius: .2rem;
          background: var(--stage);
        }

        @media (max-width: 36rem) {
          .chart text { font-size: 22px; }
        }

        """#
}
