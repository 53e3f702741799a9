"""`python -m shuangkou` is `shuangkou`."""

from shuangkou.cli import main

main()
