// Made by .ci/embed-web from Web/base.css; change that file.
extension WebAsset {
    static let baseCSS = #"""
        :root {
          color-scheme: light dark;
          --page: #f4f5f7;
          --card: #ffffff;
          --line: #d5d9e0;
          --shade: #8c95a6;
          --text: #1b2130;
          --quiet: #545d6e;
          --link: #1f4fb0;
          --mark: #1f4fb0;
          --on-mark: #ffffff;
          --warn: #9a3b0a;
          --good: #1d6b3a;
          --bar: #3b6fd4;
          --range: #c2405a;
          --deep: #2f3a9f;
          --core: #3b6fd4;
          --rem: #8a45b8;
          --asleep: #2a7f86;
          --awake: #cf5a1e;
          --in-bed: #767f8f;
        }

        @media (prefers-color-scheme: dark) {
          :root {
            --page: #10131a;
            --card: #191e28;
            --line: #333b4a;
            --shade: #000000;
            --text: #e7eaf0;
            --quiet: #a6afbf;
            --link: #8fb4ff;
            --mark: #8fb4ff;
            --on-mark: #10131a;
            --warn: #ffab7a;
            --good: #7fd6a0;
            --bar: #6f9cf5;
            --range: #f08098;
            --deep: #7a86ff;
            --core: #5f9cf0;
            --rem: #c690ef;
            --asleep: #5bbcc3;
            --awake: #f2955a;
            --in-bed: #8d97a8;
          }
        }

        * { box-sizing: border-box; }

        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }

        body {
          margin: 0;
          background: var(--page);
          color: var(--text);
          font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
          font-variant-numeric: tabular-nums;
          overflow-wrap: anywhere;
        }

        a { color: var(--link); }

        :focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; border-radius: 4px; }

        .skip { position: absolute; left: -100rem; }
        .skip:focus { left: .5rem; top: .5rem; padding: .5rem 1rem; background: var(--card); z-index: 1; }

        .top, main, .bottom { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }

        .top { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; padding-top: .75rem; }
        .brand { margin: 0; font-weight: 700; }
        .brand a { color: inherit; text-decoration: none; }
        .top nav ul { display: flex; flex-wrap: wrap; gap: .25rem; margin: 0; padding: 0; list-style: none; }
        .top nav a, .choice a {
          display: inline-block;
          padding: .35rem .7rem;
          border-radius: .5rem;
          color: var(--text);
          text-decoration: none;
        }
        .top nav a:hover, .choice a:hover { background: var(--line); }
        .top nav a[aria-current], .choice a[aria-current] { background: var(--mark); color: var(--on-mark); }
        .top form { margin-left: auto; }

        main { padding-top: .5rem; padding-bottom: 1rem; }
        h1 { margin: .5rem 0 .75rem; font-size: 1.6rem; line-height: 1.25; }
        h2 { margin: 0 0 .5rem; font-size: 1.1rem; line-height: 1.3; }
        h3 { margin: 1rem 0 .25rem; font-size: 1rem; }
        p { margin: .25rem 0 .5rem; }

        .bottom { padding-bottom: 1.5rem; color: var(--quiet); font-size: .875rem; }

        @media (max-width: 36rem) {
          .top, main, .bottom { padding-left: .75rem; padding-right: .75rem; }
          .top nav a, .choice a { padding: .35rem .55rem; }
          h1 { font-size: 1.35rem; }
        }

        """#
}
