"""CVs and job descriptions, made by the tests themselves in every format that is read."""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence

import docx
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

CV = """\
Jane Roe
Senior Product Manager

EXPERIENCE
Acme Cloud, 2019 - 2023
- Designed the quota policy for a 2,000 GPU cluster, cutting queue time by 35%
- Participated in the migration of the control plane to Kubernetes
- Led a team of 6 engineers to launch spot training, saving $1.2M a year
- Reduced average queue time from 40 minutes to 12 minutes

EDUCATION
BSc Physics. Led the chess club.
"""

CV_ZH = """\
李雷
工作经历
某云公司 2019-2023 产品经理
• 主导设计了多租户公平调度机制，提升GPU利用率35%，每年节省成本300万元
• 负责GPU集群配额策略的设计与落地，将平均排队时间从40分钟降到12分钟
• 参与调度平台迁移，支持12个业务团队
教育背景
某大学 本科，负责学生会工作
"""

JOB = """\
About us
We run GPUs.
Requirements
- 5+ years of product management experience
- Strong experience with GPU cluster scheduling and quota design
- Familiar with Slurm and Ray
- Experience with pricing and billing systems
- Excellent communication skills
Preferred qualifications
- Background in InfiniBand networking
"""

JOB_ZH = """\
任职要求
1. 5年以上产品经验
2. 熟悉GPU调度平台
3. 具备计费系统设计经验
4. 良好的沟通能力
加分项
1. 有大模型训练经验者优先
"""

_SONG = "STSong-Light"
_STEP = 14


def pdf(*columns: Sequence[str], title: str = "", password: str = "", font: str = "Helvetica") -> bytes:
    """A page with a title across and columns of lines below it."""
    if font == _SONG:
        pdfmetrics.registerFont(UnicodeCIDFont(_SONG))  # a font that every reader has: no file of it is needed
    out = io.BytesIO()
    lock = StandardEncryption(password, ownerPassword="owner", canPrint=0) if password else None
    canvas = Canvas(out, invariant=1, encrypt=lock)
    if title:
        canvas.setFont(font, 18)
        canvas.drawString(60, 790, title)
    canvas.setFont(font, 10)
    for number, lines in enumerate(columns):
        for row, line in enumerate(lines):
            canvas.drawString(60 + number * 170, 750 - row * _STEP, line)
    canvas.save()
    return out.getvalue()


def pdf_zh(text: str) -> bytes:
    return pdf([line.replace("•", "-") for line in text.splitlines()], font=_SONG)


def scanned() -> bytes:
    """Three pages that hold a picture each and no letter."""
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    for _ in range(3):
        canvas.rect(60, 60, 400, 600, fill=1)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def pages(count: int) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    for number in range(count):
        canvas.drawString(60, 700, f"This is the page with the number {number} of a very long CV.")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def bomb(size: int) -> bytes:
    """A PDF of some kilobytes whose one page unpacks to `size` bytes."""
    inner = zlib.compressobj(9)
    block = bytes(1 << 20)
    packed = b"".join(inner.compress(block) for _ in range(size >> 20)) + inner.flush()
    stream = zlib.compress(packed, 9)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << >> >>",
        b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    out, places = bytearray(b"%PDF-1.4\n"), list[int]()
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(out + b"trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start)


def word(text: str, table: Sequence[Sequence[str]] = ()) -> bytes:
    """A Word file: lines that begin with a mark become items of a list, capitals a heading; then a table."""
    document = docx.Document()
    for line in text.splitlines():
        if line.startswith(("- ", "• ")):
            document.add_paragraph(line[2:], style="List Bullet")
        elif line.isupper():
            document.add_heading(line)
        else:
            document.add_paragraph(line)
    if table:
        made = document.add_table(rows=len(table), cols=len(table[0]))
        for row, cells in zip(made.rows, table, strict=True):
            for cell, text_of_cell in zip(row.cells, cells, strict=True):
                cell.text = text_of_cell
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()
